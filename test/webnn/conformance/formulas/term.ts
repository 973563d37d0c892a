/**
 * Numbers that know how large the terms were that they are made of. Where terms cancel each other, what is left is as exact as
 * the largest of them was.
 */

export interface Term {
  readonly value: number;
  /** The largest magnitude among the terms; at least that of the value. */
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
