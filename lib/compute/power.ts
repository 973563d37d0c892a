/** Powers of floats. */

/**
 * exp2(y · log2(|x|)), with special cases. A base of 0 gives 0. A negative base with an integer exponent takes its sign from the
 * exponent as a 32-bit integer, to which it saturates; with any other exponent it gives NaN.
 */
export function power(base: number, exponent: number): number {
  if (base === 0) return 0;
  if (exponent === 0 && !Number.isFinite(base)) return NaN;
  if (base > 0) return base ** exponent;
  if (!Number.isInteger(exponent)) return NaN;
  const isOdd = Math.min(Math.max(exponent, -(2 ** 31)), 2 ** 31 - 1) % 2 !== 0;
  const magnitude = (-base) ** exponent;
  return isOdd ? -magnitude : magnitude;
}
