/** Random elements, limits and scales for the element-wise operators on one tensor. */
import { float16ToBits } from '#lib/tensors/float16.js';
import { bitsOf, isFloat, isSigned, isUnsigned } from '#lib/tensors/data-types.js';
import type { Random } from '../../harness/random.js';
import type { DataType } from '../../cases/case.js';
import { SUBNORMALS } from '../../cases/element-values.js';
import { integerScaleBias } from '../../cases/values.js';

type Value = number | bigint;

export const SPECIAL = [0, -0, Infinity, -Infinity, NaN];
export const HUGE = [1e30, -1e30, 3e38, -3e38];

/** A `scaleBias` for some cases. */
export function scaleBias(random: Random, { dataType }: { readonly dataType: DataType }) {
  if (bitsOf(dataType) === 64 || !random.chance(0.3)) return {};
  if (!isFloat(dataType)) return { scaleBias: integerScaleBias(random) };
  const any = { scale: Math.fround(6 * random.fraction() - 3), bias: Math.fround(8 * random.fraction() - 4) };
  return { scaleBias: random.pick([{ scale: random.pick([1, -1]), bias: 0 }, { ...any, bias: 0 }, any]) };
}

/** A lower and an upper limit: often multiples of 1/4 for all data types, so that elements equal a limit. */
function limits(random: Random, dataType: DataType): [number, number] {
  if (isFloat(dataType) && random.chance(0.5)) {
    const far = [-Infinity, -3e38, -70000, -65519, 65505, 65520, 3e38, Infinity, 2 ** -24 / 3, 1e-40];
    const any = () =>
      random.chance(0.2) ? random.pick(far) : Math.fround((20 * random.fraction() - 10) * 2 ** -random.int(0, 12));
    const [a, b] = [any(), any()];
    return [Math.min(a, b), Math.max(a, b)];
  }
  const low = random.int(isUnsigned(dataType) ? 0 : -40, 8) / 4;
  return [low, low + random.int(0, 40) / 4];
}

/** For integers, sometimes limits outside the range of the data type. */
export function floatLimits(random: Random, dataType: DataType): [number, number] {
  const beyond = !isFloat(dataType) && random.chance(0.1);
  return beyond
    ? random.pick([
        [-1e10, 1e10],
        [1e20, 2e20],
        [-2e20, -1e20],
        [-Infinity, Infinity],
      ])
    : limits(random, dataType);
}

/** The limits as typed scalars, each a value of the data type. */
export function scalarLimits(random: Random, dataType: DataType) {
  const isBeyond = (value: number) => dataType === 'float16' && Math.abs(value) >= 65520;
  const cut = (value: number): number => (isBeyond(value) ? value * Infinity : isFloat(dataType) ? value : Math.trunc(value));
  const [low, high] = limits(random, dataType).map(cut);
  const of = (value = 0): Value => (bitsOf(dataType) === 64 ? BigInt(value) : value);
  return { minMaxDataType: dataType, min: of(low), max: of(high) };
}

/** Any float, often a small multiple of 1/4; integers of any bits. */
export function anyValue(random: Random, dataType: DataType): Value {
  if (!isFloat(dataType)) return anyInteger(random, dataType);
  if (random.chance(0.1)) return elementOf(dataType, random.pick([...SPECIAL, ...SUBNORMALS, ...HUGE]));
  if (random.chance(0.4)) return elementOf(dataType, random.int(-24, 24) / 4);
  if (dataType === 'float16') return (random.int(0, 1) << 15) | (random.int(0, 30) << 10) | random.int(0, 1023);
  return (random.chance(0.5) ? 1 : -1) * (1 + random.fraction()) * 2 ** random.int(-126, 126);
}

function anyInteger(random: Random, dataType: DataType): bigint {
  const bits = bitsOf(dataType);
  const signed = isSigned(dataType);
  if (random.chance(0.4)) return BigInt(random.int(signed ? -12 : 0, 12));
  if (random.chance(0.2)) return random.pick([2n ** BigInt(bits - 1), 2n ** BigInt(bits - 1) - 1n, -1n]);
  return random.int64();
}

/** The element as {@link fillTensor} takes it: float16 as its bits. */
export function elementOf(dataType: DataType, value: number): number {
  return dataType === 'float16' ? float16ToBits(value) : value;
}
