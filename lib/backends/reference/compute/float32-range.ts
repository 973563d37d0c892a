/**
 * Where sums of products have to be computed as float32. Float64 holds what float32 overflows in, so that a sum comes
 * back from where DirectML's stays infinite: 3e38 + 3e38 - 3e38. All other sums are the same but for their rounding.
 */

type Numbers = Float64Array | Float32Array;

/** 2¹²⁷, half of where float32 ends: room for what partial sums are rounded by. */
const LARGEST = 2 ** 127;
const LARGEST_FLOAT16 = 65504;
const LEAST_NORMAL = 2 ** -126;

/** What sums of products become. */
export interface Sums {
  readonly length: number;
  /** What they are multiplied by. */
  readonly factor?: number;
  readonly isHalf: boolean;
}

/**
 * Whether a sum of products of finite elements of `a` and `b`, or one of the products, may overflow float32. Of float16
 * also whether products are larger than what it holds: then sums that it holds are what float32 has left of their digits.
 */
export function mayOverflow(a: Numbers, b: Numbers, { length, factor = 1, isHalf }: Sums): boolean {
  const largest = largestOf(a) * largestOf(b);
  return largest * length * Math.max(1, Math.abs(factor)) >= LARGEST || (isHalf && largest > LARGEST_FLOAT16);
}

/** Whether a product of two elements may be so small that float32 holds few of its digits, or none. */
export function mayUnderflow(a: Numbers, b: Numbers): boolean {
  return leastOf(a) * leastOf(b) < LEAST_NORMAL;
}

/** The largest magnitude of the finite elements. */
function largestOf(values: Numbers): number {
  let largest = 0;
  for (let i = 0; i < values.length; i++) {
    const magnitude = Math.abs(values[i] ?? 0);
    if (magnitude > largest && magnitude !== Infinity) largest = magnitude;
  }
  return largest;
}

/** The least magnitude of the elements but zeros. */
function leastOf(values: Numbers): number {
  let least = Infinity;
  for (let i = 0; i < values.length; i++) {
    const magnitude = Math.abs(values[i] ?? 0);
    if (magnitude < least && magnitude !== 0) least = magnitude;
  }
  return least;
}
