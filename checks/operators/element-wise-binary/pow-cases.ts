/** Cases of elementWisePow: each element of one tensor to the power of the element of another. */
import type { Random } from '../../harness/random.js';
import { base64, type CaseGenerator, type DataType } from '../../cases/case.js';
import { isFloat, isUnsigned } from '#lib/tensors/data-types.js';
import { numberOf, type ElementValue } from '../../cases/element-values.js';
import { fillTensor, randomSizes, randomTensor } from '../../cases/layout.js';

const TYPES: readonly DataType[] = ['float32', 'float16', 'int32', 'int16', 'int8', 'uint32', 'uint16', 'uint8'];
const INTEGERS = TYPES.filter((dataType) => !isFloat(dataType));

/** Every data type of the base with exponents of any data type. A `scaleBias` scales both. */
export const elementWisePow: CaseGenerator = (random, index) => {
  const dataType = TYPES[index % TYPES.length] ?? 'float32';
  const exponentType = random.pick(TYPES);
  const sizes = randomSizes(random, (Math.floor(index / TYPES.length) % 8) + 1, 400);
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const exponentTensor = randomTensor(random, exponentType, sizes, 'input');
  const outputTensor = randomTensor(random, dataType, sizes, 'output');
  const scaleBias = random.chance(0.3) ? { scale: random.pick([2, 0.5, -1]), bias: random.pick([0, 1, -0.5]) } : null;
  const integers = INTEGERS.includes(dataType);
  const base = integers ? integerBase(isFloat(exponentType)) : unscaled(floatBase, scaleBias);
  const exponent = isFloat(exponentType) ? unscaled(floatExponent, scaleBias) : integerExponent(integers, scaleBias !== null);
  return {
    descriptor: { type: 'elementWisePow', inputTensor, exponentTensor, outputTensor, scaleBias },
    data: {
      inputTensor: base64(fillTensor(random, inputTensor, () => base(random, dataType))),
      exponentTensor: base64(fillTensor(random, exponentTensor, () => exponent(random, exponentType))),
    },
  };
};

/** From 1/8 to 8 in magnitude, sometimes negative, sometimes special. */
function floatBase(random: Random): number {
  if (random.chance(0.1))
    return random.pick([0, -0, 1, -1, Infinity, -Infinity, NaN, 2 ** -14, 2 ** -24, 65504, -65504, 3e38, -1e30, 1e-30]);
  return (random.chance(0.2) ? -1 : 1) * 2 ** (random.fraction() * 6 - 3);
}

/** Up to 4 in magnitude, often whole, sometimes special. */
function floatExponent(random: Random): number {
  if (random.chance(0.1)) return random.pick([0, -0, 65504, -65504, Infinity, -Infinity, NaN, 2 ** -24, 1e-30, 1e30, -3e38]);
  return random.chance(0.4) ? random.int(-4, 4) : random.fraction() * 8 - 4;
}

/** The element that scaling turns into the value, which is first rounded to a multiple of 1/64 so that scaling is exact. */
function unscaled(value: (random: Random) => number, by: { scale: number; bias: number } | null): ElementValue {
  return (random, dataType) => {
    const wanted = value(random);
    if (by === null || !Number.isFinite(wanted)) return numberOf(dataType, wanted);
    return numberOf(dataType, (Math.round(wanted * 64) / 64 - by.bias) / by.scale);
  };
}

/** A small integer. With floating-point exponents, powers are rounded, so only bases with exact powers are used: -1, 0 and 1. */
function integerBase(beside: boolean): ElementValue {
  return (random, dataType) => {
    const least = isUnsigned(dataType) ? 0 : beside ? -1 : -9;
    return random.int(least, beside ? 1 : random.pick([3, 9, 127]));
  };
}

function integerExponent(ofIntegers: boolean, scaled: boolean): ElementValue {
  return (random, dataType) => {
    const most = ofIntegers ? random.pick([3, 40]) : scaled ? 1 : 4;
    return random.int(isUnsigned(dataType) ? 0 : -Math.min(most, 4), most);
  };
}
