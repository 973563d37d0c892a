/** Functions of one number that JavaScript lacks, in float64. */

/** 2/√π ∫₀ˣ exp(-t²) dt, by its Taylor series near 0 and from the complement elsewhere. */
export function erf(x: number): number {
  if (Number.isNaN(x)) return NaN;
  if (Math.abs(x) > 2) return Math.sign(x) * (1 - erfc(Math.abs(x)));
  let [term, sum] = [x, x];
  for (let n = 1; n < 100; n++) {
    term *= -(x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

/** 1 - erf(x) without cancellation: above 2 by Laplace's continued fraction. */
export function erfc(x: number): number {
  if (x <= 2) return 1 - erf(x);
  if (x > 30) return 0;
  let fraction = x;
  for (let n = 120; n > 0; n--) fraction = x + n / 2 / fraction;
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * fraction);
}
