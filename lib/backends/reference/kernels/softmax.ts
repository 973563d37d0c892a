/** Softmax and its kin: each row along the axes becomes a distribution, its logarithm, or the mark of its maximum. */
import { hasNaN, larger } from '../numbers.js';
import { readNumbers, writeNumbers } from '../tensor-view.js';
import { extremeAmongNaN } from './extreme-among-nan.js';
import { groupsAlong } from './groups.js';
import type { InputAndOutput } from './kernel.js';

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

/** Along given axes, or the last one. */
interface AlongAxes {
  readonly type: string;
  readonly axes?: readonly number[];
}

function alongAxes(apply: RowFunction): (operator: AlongAxes, tensors: InputAndOutput) => void {
  return ({ axes }, { inputTensor: input, outputTensor }) => {
    const values = readNumbers(input);
    applyToRows(apply, values, input.sizes, axes);
    writeNumbers(outputTensor, values);
  };
}

/** Softmax in place, for operators that it is fused into. */
export function applySoftmax(values: Float64Array, sizes: readonly number[], axes?: readonly number[]): void {
  applyToRows(softmax, values, sizes, axes);
}

/** Applies `apply` to every row along the axes. */
function applyToRows(
  apply: RowFunction,
  values: Float64Array,
  sizes: readonly number[],
  axes: readonly number[] = [sizes.length - 1],
): void {
  const { first, steps } = groupsAlong(sizes, (axis) => axes.includes(axis));
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
