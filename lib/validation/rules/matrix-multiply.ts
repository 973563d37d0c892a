/** Products of matrices, which are the last two dimensions of their tensors; those before them count products. */
import { list } from '../input.js';
import { dimensionCountOf } from '../settle.js';
import { strict, strictly } from '../strict.js';
import { axesOf, eachAxisOnce } from './axes.js';
import {
  equal,
  hasSizes,
  isOperator,
  isTensor,
  refuse,
  rightAlign,
  sameDataType,
  sameDimensionCount,
  sameSizes,
  sizesUnlessGiven,
  tensorField,
  type ResolvedOperator,
  type ResolvedTensor,
  type Rule,
} from './rule.js';

/**
 * All tensors have one data type and one dimension count.
 * With the transforms applied `aTensor` is [batch, channels, M, K], `bTensor` [batch, channels, K, N] with the same batch
 * and channels, and `outputTensor` [batch, channels, M, N]. Strides of 0 broadcast.
 * `cTensor` has the sizes of `outputTensor`.
 * A fused softmax works on one matrix: batch and channels are 1. The axes of a fused softmax1 are dimensions of the output.
 */
export const gemm: Rule = (operator) => {
  const others = ['bTensor', 'cTensor', 'outputTensor'].filter((name) => isTensor(operator.fields[name]));
  sameDataType(operator, 'aTensor', ...others);
  sameDimensionCount(operator, 'aTensor', ...others);
  const [a, b] = [transformed(operator, 'aTensor', 'transA'), transformed(operator, 'bTensor', 'transB')];
  hasSizes(operator, 'outputTensor', multiplied(operator, a, b), PRODUCT);
  if (isTensor(operator.fields['cTensor'])) sameSizes(operator, 'outputTensor', 'cTensor');
  softmaxFits(operator);
};

/** Whether there are several matrices that strides of 0 make the same one. */
function isSharedByBatch({ sizes, strides }: ResolvedTensor): boolean {
  const batch = sizes.slice(0, -2);
  return strides !== null && batch.some((size) => size > 1) && batch.every((size, axis) => size === 1 || strides[axis] === 0);
}

/** What softmax demands of its tensors, which are the output here. */
function softmaxFits(operator: ResolvedOperator): void {
  const activation = operator.fields['fusedActivation'];
  if (!isOperator(activation)) return;
  const { sizes } = tensorField(operator, 'outputTensor');
  if (activation.type === 'activationSoftmax' && sizes.slice(0, -2).some((size) => size !== 1)) {
    const why = `'activationSoftmax' works on the rows of a matrix; 'activationSoftmax1' has axes`;
    throw refuse(operator, 'ERR_FIELD_COMBINATION', 'fusedActivation', 'a batch of one matrix', list(sizes), why);
  }
  if (activation.type === 'activationSoftmax1') {
    const place = { ...operator, fields: { ...activation.fields, outputTensor: tensorField(operator, 'outputTensor') } };
    const axes = axesOf(place, 'outputTensor', 'fusedActivation.axes');
    eachAxisOnce(place, axes, 'fusedActivation.axes');
    if (isSharedByBatch(tensorField(operator, 'bTensor')) && axes.some((axis) => axis < sizes.length - 1)) {
      const why = 'for strides of 0 broadcast B along the whole batch';
      throw strict(
        'fused-softmax-axes',
        refuse(operator, 'ERR_FIELD_COMBINATION', 'fusedActivation.axes', `[${sizes.length - 1}]`, list(axes), why),
      );
    }
  }
}

/**
 * `aTensor` is [batch, channels, M, K], `bTensor` [batch, channels, K, N] with the same batch and channels, and
 * `outputTensor` [batch, channels, M, N]; all have one dimension count.
 * A zero point has the data type of its tensor. That of `aTensor` is [1] or, for one per row, [M, 1]; that of `bTensor`
 * [1] or, for one per column, [N]; dimensions of 1 may stand in front.
 */
export const matrixMultiplyInteger: Rule = (operator) => {
  multipliesAligned(operator);
  perRow(operator, 'aTensor', 'aZeroPointTensor');
  perColumn(operator, 'bTensor', 'bZeroPointTensor');
  for (const name of ['aTensor', 'bTensor']) zeroPointType(operator, name);
};

/**
 * `aTensor` is [batch, channels, M, K], `bTensor` [batch, channels, K, N] with the same batch and channels, and
 * `outputTensor` [batch, channels, M, N]; all have one dimension count.
 * Scales are [1] or, for `aTensor`, [M, 1], for `bTensor`, [N]; dimensions of 1 may stand in front. Both have the data type of `outputTensor`.
 * A zero point has the data type of its tensor and the sizes of its scale.
 * `biasTensor` is like `outputTensor` in data type and sizes.
 */
export const matrixMultiplyIntegerToFloat: Rule = (operator) => {
  multipliesAligned(operator);
  scaled(operator, 'aTensor', perRow);
  scaled(operator, 'bTensor', perColumn);
  if (isTensor(operator.fields['biasTensor'])) {
    sameDataType(operator, 'outputTensor', 'biasTensor');
    sameDimensionCount(operator, 'outputTensor', 'biasTensor');
    sameSizes(operator, 'outputTensor', 'biasTensor');
  }
  strictly('matrix-scale-types', () => sameDataType(operator, 'outputTensor', 'aScaleTensor', 'bScaleTensor'));
};

/**
 * `aTensor` is [batch, channels, M, K], `bTensor` [batch, channels, K, N] with the same batch and channels, and
 * `outputTensor` [batch, channels, M, N]; all have one dimension count.
 * Scales are [1] or, for `aTensor` and `outputTensor`, [M, 1], for `bTensor`, [N]; dimensions of 1 may stand in front.
 * A zero point has the data type of its tensor and the sizes of its scale.
 * The data type of `outputTensor` must be given where there is no `outputZeroPointTensor`.
 */
export const quantizedLinearMatrixMultiply: Rule = (operator) => {
  multipliesAligned(operator);
  scaled(operator, 'aTensor', perRow);
  scaled(operator, 'bTensor', perColumn);
  scaled(operator, 'outputTensor', perRow);
};

const PRODUCT = 'the rows of A and the columns of B';

/** The sizes of [..., M, K] × [..., K, N], which are [..., M, N]. */
function multiplied(operator: ResolvedOperator, a: readonly number[], b: readonly number[]): readonly number[] {
  const batch = a.slice(0, -2);
  const [rows = 1, inner = 1] = a.slice(-2);
  const [columns = 1] = b.slice(-1);
  if (!equal(b, [...batch, inner, columns])) {
    throw refuse(operator, 'ERR_SIZES', 'bTensor.sizes', list([...batch, inner, columns]), list(b), 'to multiply aTensor by');
  }
  return [...batch, rows, columns];
}

/** DirectML looks at the sizes from the last one on, whatever the dimension counts. */
function multipliesAligned(operator: ResolvedOperator): void {
  const tensors = ['aTensor', 'bTensor', 'outputTensor'].map((name) => tensorField(operator, name));
  const count = Math.max(...tensors.map((tensor) => dimensionCountOf(tensor) ?? 0));
  const aligned = (name: string): readonly number[] => {
    const { sizes } = tensorField(operator, name);
    return rightAlign(sizes, count) ?? sizes;
  };
  const product = multiplied(operator, aligned('aTensor'), aligned('bTensor'));
  sizesUnlessGiven(operator, 'outputTensor', () => product);
  const output = aligned('outputTensor');
  if (!equal(output, product)) {
    throw refuse(operator, 'ERR_SIZES', 'outputTensor.sizes', list(product), list(output), PRODUCT);
  }
  strictly('dimension-counts', () => sameDimensionCount(operator, 'aTensor', 'bTensor', 'outputTensor'));
}

function transformed(operator: ResolvedOperator, name: string, transform: string): readonly number[] {
  const { sizes } = tensorField(operator, name);
  if (operator.fields[transform] !== 'transpose') return sizes;
  return [...sizes.slice(0, -2), ...sizes.slice(-2).reverse()];
}

type Granularity = (operator: ResolvedOperator, tensor: string, parameter: string) => void;

/** One value for all, or one for each row. */
const perRow: Granularity = (operator, tensor, parameter) => {
  const [rows = 1] = tensorField(operator, tensor).sizes.slice(-2);
  oneOrAsMany(operator, parameter, rows, [rows, 1], `one for ${tensor}, or one for each of its rows`);
};

/** One value for all, or one for each column. */
const perColumn: Granularity = (operator, tensor, parameter) => {
  const [columns = 1] = tensorField(operator, tensor).sizes.slice(-1);
  oneOrAsMany(operator, parameter, columns, [columns], `one for ${tensor}, or one for each of its columns`);
};

function oneOrAsMany(operator: ResolvedOperator, name: string, count: number, many: readonly number[], why: string): void {
  const value = operator.fields[name];
  if (!isTensor(value)) return;
  const { sizes } = value;
  if (sizes.every((size) => size === 1) || equal(rightAlign(sizes, many.length) ?? [], many)) return;
  const expected = count === 1 ? '[1]' : `[1] or ${list(many)}`;
  throw refuse(operator, 'ERR_SIZES', `${name}.sizes`, expected, list(sizes), why);
}

/** A scale of the right sizes, and a zero point of the same ones. */
function scaled(operator: ResolvedOperator, tensor: string, granularity: Granularity): void {
  const scale = tensor.replace('Tensor', 'ScaleTensor');
  const zeroPoint = tensor.replace('Tensor', 'ZeroPointTensor');
  granularity(operator, tensor, scale);
  if (!isTensor(operator.fields[zeroPoint])) return;
  sameDimensionCount(operator, scale, zeroPoint);
  sameSizes(operator, scale, zeroPoint);
  zeroPointType(operator, tensor);
}

function zeroPointType(operator: ResolvedOperator, tensor: string): void {
  const zeroPoint = tensor.replace('Tensor', 'ZeroPointTensor');
  if (isTensor(operator.fields[zeroPoint])) sameDataType(operator, tensor, zeroPoint);
}
