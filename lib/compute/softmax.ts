/** Softmax of rows of values, for the operator itself and for those that it is fused into. */
import { groupsAlong } from './groups.js';

/** Changes one row of values in place. */
export type RowFunction = (row: Float64Array) => void;

export const softmax: RowFunction = (row) => {
  const largest = maximumOf(row);
  let sum = 0;
  for (let i = 0; i < row.length; i++) sum += row[i] = Math.exp((row[i] ?? 0) - largest);
  for (let i = 0; i < row.length; i++) row[i] = (row[i] ?? 0) / sum;
};

/** The largest number of a row; NaN is skipped, and 0 is larger than -0. */
export function maximumOf(row: Float64Array): number {
  let largest = -Infinity;
  for (let i = 0; i < row.length; i++) {
    const value = row[i] ?? 0;
    if (value > largest) largest = value;
    else if (value === 0 && largest === 0) largest += value;
  }
  return largest;
}

/** Softmax in place, for operators that it is fused into. */
export function applySoftmax(values: Float64Array, sizes: readonly number[], axes?: readonly number[]): void {
  applyToRows(softmax, values, sizes, axes);
}

/** Applies `apply` to every row along the axes. */
export function applyToRows(
  apply: RowFunction,
  values: Float64Array,
  sizes: readonly number[],
  axes: readonly number[] = [sizes.length - 1],
): void {
  const { first, steps } = groupsAlong(sizes, (axis) => axes.includes(axis));
  if (steps.every((step, i) => step === i)) {
    for (const start of first) apply(new Float64Array(values.buffer, values.byteOffset + 8 * start, steps.length));
    return;
  }
  const row = new Float64Array(steps.length);
  for (const start of first) {
    for (let i = 0; i < row.length; i++) row[i] = values[start + (steps[i] ?? 0)] ?? 0;
    apply(row);
    for (let i = 0; i < row.length; i++) values[start + (steps[i] ?? 0)] = row[i] ?? 0;
  }
}
