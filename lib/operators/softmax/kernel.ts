/** Softmax, log softmax and hardmax: each row along the axes becomes a distribution, its logarithm, or 1 at its maximum. */
import { byBlocks } from '../../compute/blocks.js';
import { hasNaN, maxNumber } from '../../compute/numbers.js';
import { readNumbers, writeNumbers } from '../../compute/tensor-view.js';
import { extremeAmongNaN } from '../../compute/extreme-among-nan.js';
import { applyToRows, maximumOf, softmax, type RowFunction } from '../../compute/softmax.js';
import type { InputAndOutput } from '../../compute/kernel.js';

/**
 * DirectML raises a smaller sum, and NaN, to this before it takes the logarithm. Every other sum is at least 1, because of the
 * maximum's own term.
 */
const MIN_SUM = 1e-20;

const logSoftmax: RowFunction = (row) => {
  const largest = maximumOf(row);
  let sum = 0;
  for (const value of row) sum += Math.exp(value - largest);
  const logarithm = Math.log(maxNumber(sum, MIN_SUM));
  for (let i = 0; i < row.length; i++) row[i] = (row[i] ?? 0) - largest - logarithm;
};

/** 1 at the first of the largest values, 0 elsewhere. */
const hardmax: RowFunction = (row) => {
  const first = hasNaN(row)
    ? extremeAmongNaN(row.length, (i) => row[i] ?? 0, { largest: true, isFirst: true })
    : row.indexOf(maximumOf(row));
  row.fill(0);
  row[first] = 1;
};

/** An operator along given axes, or else along the last one. */
interface AlongAxes {
  readonly type: string;
  readonly axes?: readonly number[];
}

function alongAxes(apply: RowFunction): (operator: AlongAxes, tensors: InputAndOutput) => void {
  return byBlocks(
    ({ axes }, { inputTensor: input, outputTensor }) => {
      const values = readNumbers(input);
      applyToRows(apply, values, input.sizes, axes);
      writeNumbers(outputTensor, values);
    },
    ({ axes }, rank) => axes ?? [rank - 1],
  );
}

export const activationHardmax = alongAxes(hardmax);
export const activationHardmax1 = alongAxes(hardmax);
export const activationLogSoftmax = alongAxes(logSoftmax);
export const activationLogSoftmax1 = alongAxes(logSoftmax);
export const activationSoftmax = alongAxes(softmax);
export const activationSoftmax1 = alongAxes(softmax);
