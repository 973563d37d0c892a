/**
 * Numbers that keep the magnitude of the terms from which they were computed. If terms cancel, the result has the absolute error
 * of the largest term.
 */

export interface Term {
  readonly value: number;
  /** The largest magnitude among the terms; at least the magnitude of the value. */
  readonly scale: number;
}

export function termOf(value: number): Term {
  return { value, scale: Math.abs(value) };
}

export function sumOf(terms: readonly (number | Term)[]): Term {
  let [value, scale] = [0, 0];
  for (const term of terms) {
    const own = typeof term === 'number' ? termOf(term) : term;
    value += own.value;
    scale = Math.max(scale, own.scale);
  }
  return { value, scale: Math.max(scale, Math.abs(value)) };
}

export function productOf(a: Term, b: Term): Term {
  const value = a.value * b.value;
  return { value, scale: Math.max(Math.abs(value), Math.abs(a.value) * b.scale, a.scale * Math.abs(b.value)) };
}
