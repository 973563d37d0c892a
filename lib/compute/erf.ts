/** The error function and its complement in float64, accurate to a few units in the last place over their whole range. */

export function erf(x: number): number {
  return Math.abs(x) < 2 ? erfSeries(x) : 1 - erfc(x);
}

/** erfc(x) = 1 − erf(x), without the cancellation that the subtraction has for large x. */
export function erfc(x: number): number {
  if (Number.isNaN(x)) return NaN;
  if (x < 0) return 2 - erfc(-x);
  return x < 2 ? 1 - erfSeries(x) : erfcFraction(x);
}

/** erf(x) = 2/√π · e^(−x²) · Σ 2ⁿ·x^(2n+1) / (1·3·5·…·(2n+1)): all terms have one sign. */
function erfSeries(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > Math.abs(sum) * 2 ** -54; n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

/**
 * Laplace's continued fraction, e^(−x²)/√π · 1/(x + (1/2)/(x + (2/2)/(x + (3/2)/(x + …)))), evaluated from its 80th step inwards.
 */
function erfcFraction(x: number): number {
  if (x > 28) return 0;
  let fraction = x;
  for (let n = 80; n >= 1; n--) fraction = x + n / 2 / fraction;
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / fraction;
}
