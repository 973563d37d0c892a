/** Softmax and its kin: each row along the axes becomes a distribution, its logarithm, or the mark of its maximum. */
import type { ResolvedValue } from '../../../validation/resolved.js';
import { hasNaN, larger } from '../numbers.js';
import { readNumbers, writeNumbers } from '../tensor-view.js';
import { extremeAmongNaN } from './extreme-among-nan.js';
import { groupsAlong } from './groups.js';
import { required, type Kernel } from './kernel.js';

/** Changes one row of values in place. */
type RowFunction = (row: Float64Array) => void;

const softmax: RowFunction = (row) => {
  const largest = maximum(row);
  let sum = 0;
  for (let i = 0; i < row.length; i++) sum += row[i] = Math.exp((row[i] ?? 0) - largest);
  for (let i = 0; i < row.length; i++) row[i] = (row[i] ?? 0) / sum;
};

/** DirectML takes no logarithm of less, nor of NaN: the maximum's own term makes every other sum at least 1. */
const LEAST_SUM = 1e-20;

const logSoftmax: RowFunction = (row) => {
  const largest = maximum(row);
  let sum = 0;
  for (const value of row) sum += Math.exp(value - largest);
  const logarithm = Math.log(larger(sum, LEAST_SUM));
  for (let i = 0; i < row.length; i++) row[i] = (row[i] ?? 0) - largest - logarithm;
};

/** 1 at the first of the largest values, 0 elsewhere. */
const hardmax: RowFunction = (row) => {
  const first = hasNaN(row)
    ? extremeAmongNaN(row.length, (i) => row[i] ?? 0, { largest: true, isFirst: true })
    : row.indexOf(maximum(row));
  row.fill(0);
  row[first] = 1;
};

/** Of numbers; NaNs are passed over. */
function maximum(row: Float64Array): number {
  return row.reduce(larger, -Infinity);
}

function alongAxes(apply: RowFunction): Kernel {
  return (operator, inputs, outputs) => {
    const input = required(inputs, 0);
    const values = readNumbers(input);
    applyToRows(apply, values, input.sizes, operator.fields['axes']);
    writeNumbers(required(outputs, 0), values);
  };
}

/** Softmax in place, for operators that it is fused into. */
export function applySoftmax(values: Float64Array, sizes: readonly number[], axes: ResolvedValue | undefined): void {
  applyToRows(softmax, values, sizes, axes);
}

/** Applies `apply` to every row along the axes; where there is no field `axes`, along the last one. */
function applyToRows(
  apply: RowFunction,
  values: Float64Array,
  sizes: readonly number[],
  axes: ResolvedValue | undefined,
): void {
  const named = Array.isArray(axes) ? axes : [sizes.length - 1];
  const { first, steps } = groupsAlong(sizes, (axis) => named.includes(axis));
  const row = new Float64Array(steps.length);
  for (const start of first) {
    for (let i = 0; i < row.length; i++) row[i] = values[start + (steps[i] ?? 0)] ?? 0;
    apply(row);
    for (let i = 0; i < row.length; i++) values[start + (steps[i] ?? 0)] = row[i] ?? 0;
  }
}

export const softmaxKernels = {
  activationHardmax: alongAxes(hardmax),
  activationHardmax1: alongAxes(hardmax),
  activationLogSoftmax: alongAxes(logSoftmax),
  activationLogSoftmax1: alongAxes(logSoftmax),
  activationSoftmax: alongAxes(softmax),
  activationSoftmax1: alongAxes(softmax),
};
