/** Random element values for arithmetic, casts, scalars and comparisons. */
import { float16ToBits } from '#lib/tensors/float16.js';
import { isFloat, isUnsigned, isWide, wideRangeOf, wrapped } from '#lib/tensors/data-types.js';
import type { Random } from '../harness/random.js';
import type { DataType } from './case.js';
import { numberOf, SPECIALS } from './element-values.js';

/** Subnormals of float32, then of float16. */
const SUBNORMALS = [1e-40, -1e-40, 2 ** -20, -(2 ** -24)];

/** The largest magnitude of an ordinary {@link arithmeticValue}. */
export const LARGEST = 16;

/**
 * A value for arithmetic (bits for float16): a float up to 16 in magnitude, in a few cases a zero, an infinity, NaN or a
 * subnormal; or an integer of small magnitude.
 */
export function arithmeticValue(random: Random, dataType: DataType): number {
  if (isFloat(dataType) && random.chance(0.04)) return specialValue(random, dataType, SUBNORMALS);
  if (dataType === 'float16') {
    return (random.int(0, 1) << 15) | (random.int(8, 18) << 10) | random.int(0, 1023);
  }
  if (isFloat(dataType)) return (random.fraction() * 2 - 1) * LARGEST * 2 ** -random.int(0, 8);
  return isUnsigned(dataType) ? random.int(0, 15) : random.int(-15, 15);
}

/** A multiple of 1/32 up to 16 in magnitude, so that the sum of two is exact in float16. Sometimes a special value. */
export function summand(random: Random, dataType: DataType): number {
  if (random.chance(0.04)) return specialValue(random, dataType);
  return numberOf(dataType, random.int(-32 * LARGEST, 32 * LARGEST) / 32);
}

function specialValue(random: Random, dataType: DataType, others: readonly number[] = []): number {
  return numberOf(dataType, random.pick([...SPECIALS, ...others]));
}

/** Special values; values around the ends of the integer types and of float16, and where floats stop holding every integer. */
// prettier-ignore
const CAST_FLOATS: readonly number[] = [
  ...[0, -0, Infinity, -Infinity, NaN, 1e-40, -(2 ** -149), 1e-30, -(2 ** -26), 2 ** -24, 2 ** -14],
  ...[0.5, -0.5, 1.5, -1.5, 127.9, 128, -128.9, -129, 255.9, 256],
  ...[32767.9, 32768, 65503, 65504, 65519, 65520, 65535.9, 65536, 2 ** 31 - 128, 2 ** 31, -(2 ** 31), -(2 ** 31) - 256],
  ...[2 ** 32 - 256, 2 ** 32, 1e18, 2 ** 63 - 2 ** 39, 2 ** 63, -(2 ** 63), 2 ** 64 - 2 ** 40, 2 ** 64, 3e38, -3e38, 16777217],
];
const CAST_INTEGERS: readonly bigint[] = [
  ...[-1n, 127n, 128n, 255n, 256n, 2049n, 2051n, 65503n, 65519n, 65520n, 16777217n, 16777219n, 33554435n],
  ...[31n, 32n, 63n].flatMap((bits) => [2n ** bits, 2n ** bits - 1n, 1n - 2n ** bits, 2n ** bits + 5n]),
];

/** Often a value that the target type cannot hold; otherwise a float in its range, or an integer with any bits. */
export function castValue(random: Random, from: DataType, to: DataType): number | bigint {
  const special = random.chance(0.2);
  if (from === 'float16') {
    if (special) return float16ToBits(random.pick(CAST_FLOATS));
    return (random.int(0, 1) << 15) | (random.int(0, 30) << 10) | random.int(0, 1023);
  }
  if (isFloat(from)) {
    if (special) return random.pick(CAST_FLOATS);
    const value = random.fraction() * limitOf(to) * 2 ** -random.int(0, 10);
    return random.chance(0.5) ? value : -value;
  }
  if (special) return random.pick(CAST_INTEGERS);
  return random.int64();
}

function limitOf(dataType: DataType): number {
  if (dataType === 'float16') return 65504;
  if (dataType.endsWith('8')) return 127;
  if (dataType.endsWith('16')) return 32767;
  return 2 ** 31 - 256;
}

/**
 * A scale and a bias for integers, which DirectML scales as float32. With a power of two the result rounds once, whether DirectML
 * fuses the addition of the bias or not.
 */
export function integerScaleBias(random: Random): { scale: number; bias: number } {
  return { scale: random.pick([2, 0.5, -1, -0.25, 1]), bias: random.pick([0, 1.5, -0.5, 100]) };
}

/** Special scalars for any float type, which rounds the last ones. */
const SPECIAL_SCALARS: readonly number[] = [NaN, Infinity, -Infinity, -0, 2 ** -24, 65504, 1 / 3, 1e-40];
const FAR_SCALARS: Readonly<Partial<Record<DataType, readonly number[]>>> = {
  float32: [3e38, -3e38, -(2 ** -149)],
  float64: [1e39, -1e308, 5e-324],
};

/** A scalar of the data type: any integer, or a float, most often one that float16 also holds. */
export function scalarValue(random: Random, dataType: DataType): number | bigint {
  if (isFloat(dataType)) {
    return random.chance(0.3) ? random.pick([...SPECIAL_SCALARS, ...(FAR_SCALARS[dataType] ?? [])]) : random.int(-4096, 4096) / 8;
  }
  const value = wrapped(dataType, random.int64());
  return isWide(dataType) ? value : Number(value);
}

/**
 * A float32 field that an operator converts to an element: often a multiple of 1/2 that every type holds except for its
 * fraction; sometimes a special value, or one out of range for some types.
 */
export function fieldValue(random: Random, dataType: DataType): number {
  if (random.chance(0.3))
    return random.pick([NaN, Infinity, -Infinity, -0, 1e-40, 3e38, -3e38, 65520, 70000, -1e10, 300.5, -129]);
  return (isUnsigned(dataType) ? random.int(0, 254) : random.int(-254, 254)) / 2;
}

/** A value for comparisons (bits for float16): one of few, so that there are ties, or an extreme of the type. */
export function orderedValue(random: Random, dataType: DataType): number | bigint {
  if (dataType === 'float16') {
    if (random.chance(0.1)) return random.pick([0x7c00, 0xfc00, 0x7bff, 0xfbff, 0, 0x8000, 1, 0x8001, 0x3ff, 0x83ff]);
    return (random.int(0, 1) << 15) | (random.int(14, 17) << 10) | (random.int(0, 3) << 8);
  }
  if (isFloat(dataType)) {
    const greatest = 3.4028234663852886e38;
    if (random.chance(0.1)) return random.pick([Infinity, -Infinity, greatest, -greatest, 0, -0, 2 ** -126, -(2 ** -126), 1e-30]);
    return random.int(-12, 12) / 4;
  }
  const { low, high } = wideRangeOf(dataType);
  const extremes = [low, high, low + 1n, high - 1n, ...(isWide(dataType) ? [2n ** 31n, 2n ** 32n - 1n, 2n ** 32n + 1n] : [])];
  const value = random.chance(0.2) ? random.pick(extremes) : BigInt(random.int(low === 0n ? 0 : -9, 9));
  return isWide(dataType) ? value : Number(value);
}
