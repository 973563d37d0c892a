/** Sums of products of rows of numbers: what convolutions and products of matrices are made of. */

/** Rows one after the other, each `length` numbers. */
export interface Rows {
  readonly values: Float64Array;
  /** Where the first row begins. */
  readonly start: number;
  readonly count: number;
}

/**
 * Writes the dot product of row i of `a` and row j of `b` to `target[start + i + j * stride]`, summed from the first
 * to the last element. Two rows of `a` by four of `b` at a time, so that eight sums share each number that is read.
 */
export function dotProducts(a: Rows, b: Rows, length: number, target: Float64Array, start: number, stride: number): void {
  const [tiledA, tiledB] = [a.count - (a.count % 2), b.count - (b.count % 4)];
  for (let j = 0; j < tiledB; j += 4) {
    for (let i = 0; i < tiledA; i += 2) tile(a, i, b, j, length, target, start + i + j * stride, stride);
  }
  for (let j = 0; j < b.count; j++) {
    const first = j < tiledB ? tiledA : 0;
    for (let i = first; i < a.count; i++) target[start + i + j * stride] = dotProduct(a, i, b, j, length);
  }
}

function tile(
  a: Rows,
  i: number,
  b: Rows,
  j: number,
  length: number,
  target: Float64Array,
  at: number,
  stride: number,
): void {
  const [x, y] = [a.values, b.values];
  const x0 = a.start + i * length;
  const x1 = x0 + length;
  const y0 = b.start + j * length;
  const y1 = y0 + length;
  const y2 = y1 + length;
  const y3 = y2 + length;
  let [s00, s01, s02, s03, s10, s11, s12, s13] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let k = 0; k < length; k++) {
    const p = x[x0 + k] ?? 0;
    const q = x[x1 + k] ?? 0;
    const f0 = y[y0 + k] ?? 0;
    const f1 = y[y1 + k] ?? 0;
    const f2 = y[y2 + k] ?? 0;
    const f3 = y[y3 + k] ?? 0;
    s00 += p * f0;
    s01 += p * f1;
    s02 += p * f2;
    s03 += p * f3;
    s10 += q * f0;
    s11 += q * f1;
    s12 += q * f2;
    s13 += q * f3;
  }
  target[at] = s00;
  target[at + 1] = s10;
  target[at + stride] = s01;
  target[at + stride + 1] = s11;
  target[at + 2 * stride] = s02;
  target[at + 2 * stride + 1] = s12;
  target[at + 3 * stride] = s03;
  target[at + 3 * stride + 1] = s13;
}

function dotProduct(a: Rows, i: number, b: Rows, j: number, length: number): number {
  const [x, y] = [a.start + i * length, b.start + j * length];
  let sum = 0;
  for (let k = 0; k < length; k++) sum += (a.values[x + k] ?? 0) * (b.values[y + k] ?? 0);
  return sum;
}
