/** How far float32 results of two programs may be apart, relative to the largest of them. */

/** Float32 rounds to a relative 2^-24. */
const rounding = 2 ** -24;

/**
 * For layers whose numbers are sums of so many products. Two programs add them in different orders, and round each partial sum:
 * errors of both signs, so that each program is wrong by the root of their count. What one layer is wrong by, the next ones pass
 * on without making it larger: weights and normalizations keep magnitudes. The models differ by a tenth of it on DirectML and
 * the reference.
 */
export function sums(...counts: readonly number[]): number {
  return counts.reduce((error, count) => error + 2 * Math.sqrt(count) * rounding, 0);
}
