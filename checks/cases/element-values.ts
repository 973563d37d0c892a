/** Random element values for arithmetic, comparisons and bit operations. */
import { toFloat16Bits } from 'node-directml';
import { float16ToBits } from '#lib/tensors/float16.js';
import { isFloat, isSigned, isUnsigned, wideRangeOf, wrapped } from '#lib/tensors/data-types.js';
import type { Random } from '../harness/random.js';
import type { DataType } from './case.js';

/** Makes one element as {@link fillTensor} takes it: float16 as its bits. */
export type ElementValue = (random: Random, dataType: DataType) => number | bigint;

export const SPECIALS: readonly number[] = [0, -0, Infinity, -Infinity, NaN];

/** Float32 subnormals: the smallest and a middle one of either sign, and the largest one. */
export const SUBNORMALS: readonly number[] = [2 ** -149, -(2 ** -149), 2 ** -126 - 2 ** -149, 1e-40, -1e-40];

const SPECIAL_FLOAT32: readonly number[] = [
  ...SUBNORMALS,
  ...[0, -0, Infinity, -Infinity, NaN, 1, -1, 1 + 2 ** -23],
  ...[2 ** -126, -(2 ** -126), (2 - 2 ** -23) * 2 ** 127, -(2 - 2 ** -23) * 2 ** 127],
];
/** Zeros, infinities, NaN, ones, the smallest and the largest subnormal, the smallest normal and the largest float16. */
const SPECIAL_FLOAT16: readonly number[] = [
  ...[0, 0x8000, 0x7c00, 0xfc00, 0x7e00, 0x3c00, 0xbc00, 0x3c01],
  ...[0x0001, 0x8001, 0x03ff, 0x0400, 0x7bff, 0xfbff],
];

/**
 * Any value. Floats are mostly from 2⁻³⁰ to 2³⁰; some have any exponent (float16: all), and some are special. Integers have
 * any bits, are small, or are the extremes of the type.
 */
export const anyValue: ElementValue = (random, dataType) => {
  if (dataType === 'float16') {
    if (random.chance(0.1)) return random.pick(SPECIAL_FLOAT16);
    return (random.int(0, 1) << 15) | (random.int(0, 30) << 10) | random.int(0, 1023);
  }
  if (isFloat(dataType)) {
    if (random.chance(0.1)) return random.pick(SPECIAL_FLOAT32);
    const exponent = random.chance(0.1) ? random.int(-126, 126) : random.int(-30, 29);
    return (random.chance(0.5) ? 1 : -1) * (1 + random.fraction()) * 2 ** exponent;
  }
  return anyInteger(random, dataType);
};

/** One of few values, so that pairs are often equal or neighbours; sometimes any value. */
export const commonValue: ElementValue = (random, dataType) => {
  if (random.chance(0.3)) return anyValue(random, dataType);
  return numberOf(dataType, random.int(isUnsigned(dataType) ? 0 : -2, 2));
};

/** 0 in half of the elements, else 1 or any bits: in DirectML, everything except 0 is true. */
export const truthValue: ElementValue = (random, dataType) =>
  random.chance(0.5) ? 0 : random.chance(0.5) ? 1 : anyInteger(random, dataType);

/** Multiples of 1/8 up to 64 in magnitude, without 0: their quotients are integers or far from one. */
export const eighths: ElementValue = (random, dataType) => {
  const value = random.int(1, 511) / 8;
  return numberOf(dataType, random.chance(0.5) ? value : -value);
};

/** Scales with which quantized values overflow, underflow or only reach the ends of the range. */
const SPECIAL_SCALES: readonly number[] = [0, -0, NaN, Infinity, -Infinity, 2 ** 100, 2 ** -60, 2 ** -100, 3e38, 1e-40];

/** Any scale from 2⁻⁸ to 4 with all its significant digits random; one in twenty is negative. */
export function anyScale(random: Random): number {
  return Math.fround((random.chance(0.05) ? -1 : 1) * (1 + random.fraction()) * 2 ** random.int(-8, 1));
}

export function orSpecialScale(random: Random, scale: number, chance = 0.1): number {
  return random.chance(chance) ? random.pick(SPECIAL_SCALES) : scale;
}

/** Generators of the scales of two inputs and of their output. */
interface Scales {
  readonly a: () => number;
  readonly b: () => number;
  readonly output: () => number;
  /** True if some scales are of {@link SPECIAL_SCALES}. */
  readonly areSpecial: boolean;
}

/**
 * Scales for sums of up to about 2^`bits` units. Scales that are equal, powers of two, or products of each other give
 * quotients that are ties, or that would be ties if DirectML rounded less often.
 */
export function quantizationScales(random: Random, bits: number): Scales {
  const [first, second] = [anyScale(random), anyScale(random)];
  const up = (): number => 2 ** random.int(0, bits);
  const scales = random.pick<Omit<Scales, 'areSpecial'>>([
    { a: () => 2 ** random.int(-4, 0), b: () => 2 ** random.int(-4, 0), output: () => 2 ** random.int(-4, bits) },
    { a: () => first, b: () => first, output: () => first },
    { a: () => first, b: () => second, output: () => Math.fround(first * second * up()) },
    { a: () => first, b: () => second, output: () => Math.fround(first * up()) },
    { a: () => anyScale(random), b: () => anyScale(random), output: () => anyScale(random) * up() },
  ]);
  if (random.chance(0.7)) return { ...scales, areSpecial: false };
  const orSpecial = (scale: () => number) => () => orSpecialScale(random, scale());
  return { a: orSpecial(scales.a), b: orSpecial(scales.b), output: orSpecial(scales.output), areSpecial: true };
}

export function anyInteger(random: Random, dataType: DataType): bigint {
  const signed = isSigned(dataType);
  const { low, high } = wideRangeOf(dataType);
  switch (random.int(0, 3)) {
    case 0:
      return BigInt(random.int(signed ? -9 : 0, 9));
    case 1:
      return random.pick(signed ? [low, high, low + 1n] : [high, (high + 1n) / 2n]);
    default:
      return wrapped(dataType, random.int64());
  }
}

/** A number that the data type holds, as {@link fillTensor} takes it. */
export function numberOf(dataType: DataType, value: number): number {
  return dataType === 'float16' ? float16ToBits(value) : value;
}

/** Any number, rounded to the data type, as {@link fillTensor} takes it. */
export function floatElement(dataType: DataType, value: number): number {
  return dataType === 'float16' ? (toFloat16Bits([value])[0] ?? 0) : Math.fround(value);
}

/** Mostly a small integer; sometimes one so large that sums and products wrap around. */
export function wrappingInteger(random: Random): bigint {
  if (random.chance(0.7)) return BigInt(random.int(-9, 9));
  return random.int64();
}

/** Values that are often equal. Some floats are NaN, −0, an infinity, or finite with an extreme magnitude. */
export function orderedElement(random: Random, dataType: DataType): () => number | bigint {
  const isHalf = dataType === 'float16';
  const least = isHalf ? -65504 : -(2 - 2 ** -23) * 2 ** 127;
  const small = isHalf ? 2 ** -24 : 2 ** -126;
  return () => {
    if (!isFloat(dataType)) return anyInteger(random, dataType);
    const isSpecial = random.chance(0.3);
    const value = isSpecial
      ? random.pick([NaN, -0, Infinity, -Infinity, -Infinity, least, small, -small])
      : random.int(-12, 12) / 4;
    return numberOf(dataType, value);
  };
}
