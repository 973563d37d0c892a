/** Comparison of numbers, and rounding to the range and precision of float32 and float16. */
import { largestFloat16, largestFloat32, leastNormalFloat32 } from '../tensors/data-types.js';
import { mapped } from './scratch.js';

/** Direct3D's max: if one operand is NaN, the result is the other one. */
export function maxNumber(a: number, b: number): number {
  return Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b);
}

export function minNumber(a: number, b: number): number {
  return Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b);
}

/**
 * A float64 with the range of float32: unchanged if its magnitude is that of a normal float32, else rounded to float32, which
 * gives an infinity, 0 or a subnormal.
 */
export function inFloat32Range(value: number): number {
  const magnitude = Math.abs(value);
  return magnitude >= leastNormalFloat32 && magnitude <= largestFloat32 ? value : Math.fround(value);
}

/**
 * Linear interpolation between two float32 numbers, rounded at each step as in DirectML's shaders. If the difference overflows,
 * so does the result. An infinity of weight 0 gives NaN.
 */
export function interpolated(a: number, b: number, weight: number): number {
  return Math.fround(a + Math.fround(Math.fround(b - a) * weight));
}

/** Saturates finite float32 values to the range of float16. */
export function saturateToFloat16(value: number): number {
  return Number.isFinite(Math.fround(value)) ? Math.min(Math.max(value, -largestFloat16), largestFloat16) : value;
}

/** Truncates finite values to the precision of float16 and saturates them to its range, so that writing them rounds nothing. */
export function truncateToFloat16(values: Float64Array): Float64Array {
  return mapped(values, (value) => {
    if (!Number.isFinite(value)) return value;
    const magnitude = Math.min(Math.abs(Math.fround(value)), largestFloat16);
    const unit = magnitude < 2 ** -14 ? 2 ** -24 : 2 ** (Math.floor(Math.log2(magnitude)) - 10);
    return Math.sign(value) * Math.floor(magnitude / unit) * unit;
  });
}

/**
 * Truncates to float16, but gives an infinity above the largest float16: the result of float16 arithmetic that is computed in
 * float32.
 */
export function truncateOrOverflow(values: Float64Array): Float64Array {
  const cut = truncateToFloat16(values);
  return mapped(values, (value, i) => {
    return Math.abs(value) > largestFloat16 ? Math.sign(cut[i] ?? 0) * Infinity : (cut[i] ?? 0);
  });
}

/** True if any element is NaN. If so, the result of comparing elements depends on their order. */
export function hasNaN(values: Float64Array | Float32Array | BigInt64Array | BigUint64Array): boolean {
  for (let i = 0; i < values.length; i++) if (values[i] !== values[i]) return true;
  return false;
}
