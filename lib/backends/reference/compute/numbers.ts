/** Comparing numbers, and rounding them as float32 and float16 do. */

/** Direct3D's max and min: of a NaN and a number the number. */
export function larger(a: number, b: number): number {
  return Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b);
}

export function smaller(a: number, b: number): number {
  return Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b);
}

/** The least float32 with all its digits. */
const LEAST_NORMAL = 2 ** -126;
const LARGEST_FLOAT32 = (2 - 2 ** -23) * 2 ** 127;

/** The same number, unless float32 ends before it: then an infinity, 0, or what is left of its digits. */
export function inFloat32Range(value: number): number {
  const magnitude = Math.abs(value);
  return magnitude >= LEAST_NORMAL && magnitude <= LARGEST_FLOAT32 ? value : Math.fround(value);
}

/**
 * What lies between two float32 numbers, rounded as DirectML's shaders round it. Where the difference overflows so does the
 * result, and an infinity gives NaN to what it has no weight in.
 */
export function interpolated(a: number, b: number, weight: number): number {
  return Math.fround(a + Math.fround(Math.fround(b - a) * weight));
}

/** Finite float32 kept in the range of float16. */
export function saturateToFloat16(value: number): number {
  return Number.isFinite(Math.fround(value)) ? Math.min(Math.max(value, -65504), 65504) : value;
}

/** Finite values cut to the precision of float16, so that writing them rounds nothing. */
export function cutToFloat16(values: Float64Array): Float64Array {
  return values.map((value) => {
    if (!Number.isFinite(value)) return value;
    const magnitude = Math.min(Math.abs(Math.fround(value)), 65504);
    const unit = magnitude < 2 ** -14 ? 2 ** -24 : 2 ** (Math.floor(Math.log2(magnitude)) - 10);
    return Math.sign(value) * Math.floor(magnitude / unit) * unit;
  });
}

/** The same, but infinite above 65504: what arithmetic in float16 gives, computed in float32. */
export function cutOrInfinite(values: Float64Array): Float64Array {
  return cutToFloat16(values).map((cut, i) => (Math.abs(values[i] ?? 0) > 65504 ? Math.sign(cut) * Infinity : cut));
}

/** Beside a NaN it shows in which order elements are compared; without one, only one result is right. */
export function hasNaN(values: Float64Array | Float32Array | BigInt64Array | BigUint64Array): boolean {
  for (let i = 0; i < values.length; i++) if (values[i] !== values[i]) return true;
  return false;
}
