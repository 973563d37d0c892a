/**
 * Finds out whether sums of products have to be computed as float32. Float64 has a larger range, so a sum may return from beyond
 * float32's range, where DirectML's stays infinite: 3e38 + 3e38 - 3e38. All other sums differ only in their rounding.
 */
import { largestFloat16, leastNormalFloat32 } from '../tensors/data-types.js';

type Numbers = Float64Array | Float32Array;

/** 2¹²⁷, half of float32's range: leaves room for the rounding of partial sums. */
export const SAFE_MAGNITUDE = 2 ** 127;

/** The sums that are made of the products. */
interface ProductSums {
  readonly length: number;
  /** A factor that the sums are multiplied by. */
  readonly factor: number;
  readonly isHalf: boolean;
}

/**
 * True if a sum of products of finite elements of `a` and `b`, or a single product, may overflow float32. For float16 also true
 * if a product may exceed the largest float16: a sum that float16 can hold is then a small difference of large products, and
 * float32 has lost some of its digits.
 */
export function mayOverflow(a: Numbers, b: Numbers, { length, factor, isHalf }: ProductSums): boolean {
  const largest = largestMagnitude(a) * largestMagnitude(b);
  return largest * length * Math.max(1, Math.abs(factor)) >= SAFE_MAGNITUDE || (isHalf && largest > largestFloat16);
}

/** True if a product of two elements may be so small that float32 holds few of its digits, or none. */
export function mayUnderflow(a: Numbers, b: Numbers): boolean {
  return smallestMagnitude(a) * smallestMagnitude(b) < leastNormalFloat32;
}

/** The largest magnitude of the finite elements. */
function largestMagnitude(values: Numbers): number {
  let largest = 0;
  for (let i = 0; i < values.length; i++) {
    const magnitude = Math.abs(values[i] ?? 0);
    if (magnitude > largest && magnitude !== Infinity) largest = magnitude;
  }
  return largest;
}

/** The smallest magnitude of the nonzero elements; Infinity if there is none. */
function smallestMagnitude(values: Numbers): number {
  let smallest = Infinity;
  for (let i = 0; i < values.length; i++) {
    const magnitude = Math.abs(values[i] ?? 0);
    if (magnitude < smallest && magnitude !== 0) smallest = magnitude;
  }
  return smallest;
}
