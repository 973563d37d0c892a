/** Cases and tolerances of the reductions. */
import type { OperatorDescriptor } from 'node-directml';
import { bitsOf, isFloat, isWide } from '#lib/tensors/data-types.js';
import type { Random } from '../../harness/random.js';
import { base64, INDEX_TYPES, type ConformanceCase, type DataType } from '../../cases/case.js';
import { floatElement, wrappingInteger } from '../../cases/element-values.js';
import { fillTensor, randomSizes, randomTensor } from '../../cases/layout.js';
import { POSITIVE_SUM, PRODUCT, SUM } from '../../tolerance/shared-rows.js';
import { COMPARED, SAME_VALUE, type OperatorTolerance } from '../../tolerance/row.js';

export const tolerances = {
  argmax: COMPARED,
  argmin: COMPARED,
  reduce: {
    pick: (descriptor) => (descriptor.type === 'reduce' ? descriptor.function : 'sum'),
    rows: {
      argmax: COMPARED,
      argmin: COMPARED,
      average: {
        ...SUM,
        ulp: 1.5,
        perTerm: 1,
        reason: 'a sum, 0.5 ULP of which is up to 1 ULP of the average; then a quotient, or a product with a rounded reciprocal',
      },
      l1: POSITIVE_SUM,
      l2: { ...POSITIVE_SUM, ulp: 2, reason: 'a square per term and their sum; a square root of 1 ULP' },
      logSum: { ...POSITIVE_SUM, ulp: 9, magnitude: 1, reason: 'the logarithm of a sum: 2⁻²¹, absolute for 0.5 to 2' },
      logSumExp: {
        ...POSITIVE_SUM,
        ulp: 18,
        magnitude: 1,
        reason:
          'log(Σ e^x): 8 ULP for the logarithm; 2⁻²¹ for the exponentials; 10 ULP for their arguments of up to 8, half of it as ' +
          'an absolute error',
      },
      max: { ...COMPARED, ...SAME_VALUE },
      min: { ...COMPARED, ...SAME_VALUE },
      multiply: PRODUCT,
      sum: SUM,
      sumSquare: { ...POSITIVE_SUM, ulp: 1, reason: 'a square per term, and their sum' },
    },
  },
} satisfies Record<string, OperatorTolerance>;

type ReduceFunction = Extract<OperatorDescriptor, { type: 'reduce' }>['function'];

const FLOATS: readonly DataType[] = ['float32', 'float16'];
const SUMMABLE: readonly DataType[] = [...FLOATS, ...INDEX_TYPES];
const ORDERED: readonly DataType[] = [...SUMMABLE, 'int16', 'int8', 'uint16', 'uint8'];

const FUNCTION_TYPES: readonly (readonly [ReduceFunction, readonly DataType[]])[] = [
  ['argmax', ORDERED],
  ['argmin', ORDERED],
  ['average', FLOATS],
  ['l1', SUMMABLE],
  ['l2', FLOATS],
  ['logSum', FLOATS],
  ['logSumExp', FLOATS],
  ['max', ORDERED],
  ['min', ORDERED],
  ['multiply', SUMMABLE],
  ['sum', SUMMABLE],
  ['sumSquare', SUMMABLE],
];

export function reduce(random: Random, index: number): ConformanceCase {
  const [functionName, types] = FUNCTION_TYPES[index % 12] ?? ['sum', FLOATS];
  const round = Math.floor(index / 12);
  const dataType = types[round % types.length] ?? 'float32';
  const { sizes, axes, length } = shape(random, Math.floor(round / types.length) % 8);
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const indices = functionName.startsWith('arg');
  const outputTensor = randomTensor(random, indices ? random.pick(INDEX_TYPES) : dataType, reducedSizes(sizes, axes), 'output');
  const ordered = indices || functionName === 'max' || functionName === 'min';
  const nanShare = shareOfNan(random);
  const extreme = random.chance(0.25) ? extremeFor(random, functionName, dataType, length) : null;
  const specials = random.chance(0.1) ? random.pick([0.02, 0.5]) : 0.001;
  const value = (): number | bigint => {
    if (!isFloat(dataType)) return ordered ? anyInteger(random, dataType) : wrappingInteger(random);
    const number = ordered
      ? orderedFloat(random, nanShare)
      : (extreme?.() ?? floatFor(random, functionName, dataType, length, specials));
    return floatElement(dataType, number);
  };
  const bytes = fillTensor(random, inputTensor, value);
  return {
    descriptor: { type: 'reduce', function: functionName, inputTensor, outputTensor, axes },
    data: { inputTensor: base64(bytes) },
  };
}

const argReduction =
  (type: 'argmin' | 'argmax') =>
  (random: Random, index: number): ConformanceCase => {
    const dataType = ORDERED[index % 10] ?? 'float32';
    const turn = Math.floor(index / 10) % 8;
    const { sizes, axes } = random.chance(0.1) ? longRows(random, turn) : shape(random, turn);
    const inputTensor = randomTensor(random, dataType, sizes, 'input');
    const outputTensor = randomTensor(random, random.pick(INDEX_TYPES), reducedSizes(sizes, axes), 'output');
    const nanShare = shareOfNan(random);
    const bytes = fillTensor(random, inputTensor, () =>
      isFloat(dataType) ? floatElement(dataType, orderedFloat(random, nanShare)) : anyInteger(random, dataType),
    );
    return {
      descriptor: { type, inputTensor, outputTensor, axes, axisDirection: random.pick(['increasing', 'decreasing']) },
      data: { inputTensor: base64(bytes) },
    };
  };

export const argmin = argReduction('argmin');
export const argmax = argReduction('argmax');

function shape(random: Random, turn: number): { sizes: number[]; axes: number[]; length: number } {
  const sizes = randomSizes(random, turn + 1, random.chance(0.2) ? 3000 : 300);
  const axes = random.distinct(random.int(random.chance(0.1) ? 0 : 1, sizes.length), sizes.length);
  return { sizes, axes, length: axes.reduce((product, axis) => product * (sizes[axis] ?? 1), 1) };
}

/** Rows longer than the 1024 elements that DirectML compares as one block. */
function longRows(random: Random, turn: number): { sizes: number[]; axes: number[] } {
  const axis = random.int(0, turn);
  const sizes = Array.from({ length: turn + 1 }, (_, i) => (i === axis ? random.int(1025, 3500) : 1));
  return { sizes, axes: [axis] };
}

function reducedSizes(sizes: readonly number[], axes: readonly number[]): number[] {
  return sizes.map((size, axis) => (axes.includes(axis) ? 1 : size));
}

/** The share of NaN elements. With many of them, the result depends on the order of comparisons. */
function shareOfNan(random: Random): number {
  return random.chance(0.2) ? random.pick([0.3, 0.02]) : 0;
}

/** Special values. Some overflow or underflow float16, or are its smallest or largest values. */
// prettier-ignore
const ORDERED_FLOATS: readonly number[] = [
  Infinity, -Infinity, NaN, 0, -0, 1e-40, -1e-40, 2 ** -20, -(2 ** -24), 65504, -65504, 3e38, -3e38,
];

/** Often an integer from -4 to 4, so that there are ties. */
function orderedFloat(random: Random, nanShare: number): number {
  if (random.chance(nanShare)) return NaN;
  if (random.chance(0.04)) return random.pick(ORDERED_FLOATS);
  return random.chance(0.5) ? random.int(-4, 4) : (random.fraction() - 0.5) * 2000;
}

function floatFor(random: Random, functionName: ReduceFunction, dataType: DataType, length: number, specials: number): number {
  if (random.chance(specials)) return random.pick([Infinity, -Infinity, NaN]);
  // The logarithm of a float32 subnormal may be any value between those of the smallest and the largest subnormal. A product
  // that is not flushed to zero loses digits if a partial product is subnormal.
  const takesSubnormals = functionName !== 'logSum' && functionName !== 'multiply';
  if (random.chance(0.01)) return random.pick([0, -0, 2 ** -20, ...(takesSubnormals ? [1e-40] : [])]);
  const sign = random.chance(0.5) ? 1 : -1;
  switch (functionName) {
    case 'multiply':
      // The product and all partial products stay between 2⁻¹² and 2¹².
      return sign * 2 ** (((random.fraction() - 0.5) * 24) / length);
    case 'logSum':
      return 0.01 + random.fraction() * 4;
    case 'l1':
    case 'l2':
    case 'sumSquare':
      // Sums of squares stay below 65504, the largest float16.
      return sign * (0.1 + random.fraction()) * (dataType === 'float16' ? 3 : 100);
    default:
      return sign * random.fraction() * 8;
  }
}

/**
 * Elements whose squares, exponentials, products or sums overflow or underflow float32 or float16; null if there are
 * none. No overflow depends on the order of the elements: with both signs, even the sum of magnitudes is finite.
 */
function extremeFor(random: Random, functionName: ReduceFunction, dataType: DataType, length: number): (() => number) | null {
  const sign = random.pick([1, -1]);
  const around = (magnitude: number) => () => (0.5 + random.fraction() / 2) * magnitude;
  const ofBothSigns = (magnitude: number) => () => (random.chance(0.5) ? 1 : -1) * around(magnitude)();
  if (dataType === 'float16') {
    switch (functionName) {
      case 'sum':
      case 'average':
        return random.chance(0.5) ? () => sign * around(65000)() : ofBothSigns(65000);
      case 'l1':
      case 'l2':
      case 'sumSquare':
        return ofBothSigns(random.pick([65000, 300, 2 ** -10]));
      case 'multiply':
        return ofBothSigns(random.pick([65000, 2 ** -12]));
      default:
        return null;
    }
  }
  switch (functionName) {
    case 'l2':
    case 'sumSquare':
      return ofBothSigns(random.pick([1e25, 1e-25]));
    case 'logSumExp':
      return () =>
        random.chance(0.3)
          ? random.int(-8, 8)
          : random.chance(0.05)
            ? 100 + random.fraction() * 50
            : -120 - random.fraction() * 50;
    case 'average':
    case 'sum':
      return random.chance(0.5) ? () => sign * around(3.4e38)() : ofBothSigns(3e38 / length);
    case 'l1':
      return ofBothSigns(random.pick([3.4e38, 3e38 / length, 1e-25]));
    case 'logSum':
      return around(random.pick([3.4e38, 1e-25]));
    case 'multiply':
      return length === 1 ? null : ofBothSigns(random.pick([1e30, 1e-30]));
    default:
      return null;
  }
}

/** Small integers, which give ties; extremes; and any integers. */
function anyInteger(random: Random, dataType: DataType): number | bigint {
  const bits = BigInt(bitsOf(dataType));
  const extremes = [0n, (1n << (bits - 1n)) - 1n, 1n << (bits - 1n), (1n << bits) - 1n];
  const value = random.chance(0.2)
    ? random.pick(extremes)
    : random.chance(0.5)
      ? BigInt(random.int(-3, 3))
      : wrappingInteger(random);
  const signed = BigInt.asIntN(bitsOf(dataType), value);
  return isWide(dataType) ? signed : Number(signed);
}
