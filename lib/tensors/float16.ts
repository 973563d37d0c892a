/** Conversions between JavaScript numbers and the 16 bits of an IEEE 754 half-precision float. */
import { roundToEven } from './data-types.js';

const float64 = new Float64Array(1);
/** Low word first, as on every machine that Node.js and DirectML share. */
const float64Words = new Uint32Array(float64.buffer);

/** The float16 nearest to `value`, ties to even, as its bits. NaN stays NaN; numbers that are too large become infinite. */
export function float16ToBits(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  // Halfway between the largest float16, 65504, and the next power of two: rounds away, to infinity.
  if (magnitude >= 65520) return sign | 0x7c00;
  // Below 2^-14 floats are subnormal, 2^-24 apart.
  if (magnitude < 2 ** -14) return sign | roundToEven(magnitude * 2 ** 24);
  float64[0] = magnitude;
  const exponent = ((float64Words[1] ?? 0) >>> 20) - 1023;
  // 11 significant bits; a carry out of them goes into the exponent by the addition.
  const significand = roundToEven(magnitude * 2 ** (10 - exponent));
  return sign | (((exponent + 15) << 10) + (significand - 1024));
}

/** The float16 nearest to `value`; too large ones are infinite. */
export function roundToFloat16(value: number): number {
  return float16FromBits(float16ToBits(value));
}

export function float16FromBits(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}
