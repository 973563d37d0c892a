/** Matrix products: the last two dimensions of each tensor are matrices, those before them the batch. */
import { list } from '../../values/errors.js';
import type { MatrixTransform } from '../../tensors/generated/enums.js';
import { knownDimensionCount, needSizes, stateSizes, type Drafted, type TensorOrDraft } from '../../descriptors/drafted.js';
import { productHint, type Factors } from '../../descriptors/matrix-hints.js';
import type { ResolvedTensor } from '../../descriptors/resolved.js';
import { strict, strictly } from '../../descriptors/strict.js';
import { axesFit, eachAxisOnce } from '../../descriptors/axes.js';
import { equal, hasSizes, rightAlign, sameDataType, sameDimensionCount, sameSizes } from '../../descriptors/checks.js';
import {
  refuse,
  tensorOf,
  type NamedTensor,
  type Rule,
  type Typed,
  type WithInputs,
  type WithOptionalTensors,
  type WithTensors,
} from '../../descriptors/rule.js';

/**
 * All tensors have the same data type and dimension count. After `transA` and `transB` are applied, `aTensor` has the
 * sizes [batch, channels, M, K], `bTensor` [batch, channels, K, N] with the same batch and channels, and
 * `outputTensor` [batch, channels, M, N]. A stride of 0 broadcasts a dimension of an input. `cTensor` has the sizes
 * of `outputTensor`. A fused `activationSoftmax` requires that batch and channels are 1. The axes of a fused
 * `activationSoftmax1` are dimensions of `outputTensor`, counted from 0.
 */
export const gemm: Rule<'gemm'> = (operator) => {
  sameDataType(operator, 'aTensor', 'bTensor', 'cTensor', 'outputTensor');
  sameDimensionCount(operator, 'aTensor', 'bTensor', 'cTensor', 'outputTensor');
  const [a, b] = [transformed(operator.aTensor, operator.transA), transformed(operator.bTensor, operator.transB)];
  hasSizes(operator, 'outputTensor', productSizes(operator, a, b), PRODUCT);
  sameSizes(operator, 'outputTensor', 'cTensor');
  softmaxFits(operator);
};

/** True if the batch has several matrices and strides of 0 make all of them the same one. */
function isSharedByBatch({ sizes, strides }: ResolvedTensor): boolean {
  const batch = sizes.slice(0, -2);
  return strides !== null && batch.some((size) => size > 1) && batch.every((size, axis) => size === 1 || strides[axis] === 0);
}

/** The rules of a fused softmax, which works on the output. */
function softmaxFits(operator: Drafted<'gemm'>): void {
  const { fusedActivation: activation, outputTensor, bTensor } = operator;
  const sizes = needSizes(outputTensor);
  if (activation?.type === 'activationSoftmax' && sizes.slice(0, -2).some((size) => size !== 1)) {
    const why = `'activationSoftmax' works on the rows of a matrix; 'activationSoftmax1' has axes`;
    throw refuse(operator, 'ERR_FIELD_COMBINATION', 'fusedActivation', 'a batch of one matrix', list(sizes), why);
  }
  if (activation?.type === 'activationSoftmax1') {
    const { axes } = activation;
    axesFit(operator, axes, outputTensor, 'fusedActivation.axes');
    eachAxisOnce(operator, axes, 'fusedActivation.axes');
    if (isSharedByBatch(bTensor) && axes.some((axis) => axis < sizes.length - 1)) {
      const why = 'for strides of 0 broadcast B along the whole batch';
      throw strict(
        'fused-softmax-axes',
        refuse(operator, 'ERR_FIELD_COMBINATION', 'fusedActivation.axes', `[${sizes.length - 1}]`, list(axes), why),
      );
    }
  }
}

/**
 * {@inheritDoc productFits} Each zero point has the data type of its tensor. `aZeroPointTensor` has the sizes
 * [1], or [M, 1] for one value per row. `bZeroPointTensor` has the sizes [1], or [N] for one value per column. Zero
 * points may have additional leading dimensions of size 1.
 */
export const matrixMultiplyInteger: Rule<'matrixMultiplyInteger'> = (operator) => {
  productFits(operator);
  const { aTensor, aZeroPointTensor, bTensor, bZeroPointTensor } = operator;
  perRow(operator, { name: 'aTensor', tensor: aTensor }, { name: 'aZeroPointTensor', tensor: aZeroPointTensor });
  perColumn(operator, { name: 'bTensor', tensor: bTensor }, { name: 'bZeroPointTensor', tensor: bZeroPointTensor });
  sameDataType(operator, 'aTensor', 'aZeroPointTensor');
  sameDataType(operator, 'bTensor', 'bZeroPointTensor');
};

/**
 * {@inheritDoc productFits} {@inheritDoc scalesFit} Both scales have the data type of `outputTensor`. `biasTensor`
 * has the data type and the sizes of `outputTensor`.
 */
export const matrixMultiplyIntegerToFloat: Rule<'matrixMultiplyIntegerToFloat'> = (operator) => {
  productFits(operator);
  scalesFit(operator, ['aTensor', 'aScaleTensor', 'aZeroPointTensor'], perRow);
  scalesFit(operator, ['bTensor', 'bScaleTensor', 'bZeroPointTensor'], perColumn);
  sameDataType(operator, 'outputTensor', 'biasTensor');
  sameDimensionCount(operator, 'outputTensor', 'biasTensor');
  sameSizes(operator, 'outputTensor', 'biasTensor');
  strictly('matrix-scale-types', () => sameDataType(operator, 'outputTensor', 'aScaleTensor', 'bScaleTensor'));
};

/**
 * {@inheritDoc productFits} {@inheritDoc scalesFit} The data type of `outputTensor` must be given if there is no
 * `outputZeroPointTensor`.
 */
export const quantizedLinearMatrixMultiply: Rule<'quantizedLinearMatrixMultiply'> = (operator) => {
  productFits(operator);
  scalesFit(operator, ['aTensor', 'aScaleTensor', 'aZeroPointTensor'], perRow);
  scalesFit(operator, ['bTensor', 'bScaleTensor', 'bZeroPointTensor'], perColumn);
  scalesFit(operator, ['outputTensor', 'outputScaleTensor', 'outputZeroPointTensor'], perRow);
};

const PRODUCT = 'the rows of A and the columns of B';

/** The sizes of [..., M, K] × [..., K, N], which are [..., M, N]. */
function productSizes(operator: Typed & Factors, a: readonly number[], b: readonly number[]): readonly number[] {
  const batch = a.slice(0, -2);
  const [rows = 1, inner = 1] = a.slice(-2);
  const [columns = 1] = b.slice(-1);
  if (!equal(b, [...batch, inner, columns])) {
    const hint = productHint(operator);
    const why = hint === undefined ? 'to multiply aTensor by' : `to multiply aTensor by; ${hint}`;
    throw refuse(operator, 'ERR_SIZES', 'bTensor.sizes', list([...batch, inner, columns]), list(b), why);
  }
  return [...batch, rows, columns];
}

/**
 * `aTensor` has the sizes [batch, channels, M, K], `bTensor` [batch, channels, K, N] with the same batch and
 * channels, and `outputTensor` [batch, channels, M, N]; all three have the same dimension count.
 */
function productFits(operator: WithInputs<'aTensor' | 'bTensor'> & WithTensors<'outputTensor'>): void {
  const { aTensor, bTensor, outputTensor } = operator;
  // DirectML compares the sizes from the last one on, whatever the dimension counts are.
  const count = Math.max(...[aTensor, bTensor, outputTensor].map((tensor) => knownDimensionCount(tensor) ?? 0));
  const aligned = (sizes: readonly number[]): readonly number[] => rightAlign(sizes, count) ?? sizes;
  const product = productSizes(operator, aligned(aTensor.sizes), aligned(bTensor.sizes));
  const output = aligned(stateSizes(outputTensor, () => product));
  if (!equal(output, product)) {
    throw refuse(operator, 'ERR_SIZES', 'outputTensor.sizes', list(product), list(output), PRODUCT);
  }
  strictly('dimension-counts', () => sameDimensionCount(operator, 'aTensor', 'bTensor', 'outputTensor'));
}

function transformed({ sizes }: ResolvedTensor, transform: MatrixTransform): readonly number[] {
  if (transform !== 'transpose') return sizes;
  return [...sizes.slice(0, -2), ...sizes.slice(-2).reverse()];
}

/** A scale or zero point, with the name of its field. */
interface Parameter {
  readonly name: string;
  readonly tensor: ResolvedTensor | null;
}

/** How many values a scale or zero point may have for a tensor of matrices. */
type Granularity = (operator: Typed, matrices: NamedTensor, parameter: Parameter) => void;

/** One value for the tensor, or one for each row. */
const perRow: Granularity = (operator, { name, tensor }, parameter) => {
  const [rows = 1] = needSizes(tensor).slice(-2);
  oneOrAsMany(operator, parameter, rows, [rows, 1], `one for ${name}, or one for each of its rows`);
};

/** One value for the tensor, or one for each column. */
const perColumn: Granularity = (operator, { name, tensor }, parameter) => {
  const [columns = 1] = needSizes(tensor).slice(-1);
  oneOrAsMany(operator, parameter, columns, [columns], `one for ${name}, or one for each of its columns`);
};

function oneOrAsMany(operator: Typed, { name, tensor }: Parameter, count: number, many: readonly number[], why: string): void {
  if (tensor === null) return;
  const { sizes } = tensor;
  if (sizes.every((size) => size === 1) || equal(rightAlign(sizes, many.length) ?? [], many)) return;
  const expected = count === 1 ? '[1]' : `[1] or ${list(many)}`;
  throw refuse(operator, 'ERR_SIZES', `${name}.sizes`, expected, list(sizes), why);
}

/**
 * `aScaleTensor` has the sizes [1], or [M, 1] for one value per row. `bScaleTensor` has the sizes [1], or [N] for one
 * value per column. `outputScaleTensor` has the sizes [1], or [M, 1] for one value per row. Scales may have
 * additional leading dimensions of size 1. Each zero point has the data type of its tensor and the sizes of its
 * scale.
 */
function scalesFit<Matrices extends string, Scale extends string, ZeroPoint extends string>(
  operator: WithTensors<NoInfer<Matrices>> & WithInputs<NoInfer<Scale>> & WithOptionalTensors<NoInfer<ZeroPoint>>,
  [matrices, scale, zeroPoint]: readonly [Matrices, Scale, ZeroPoint],
  granularity: Granularity,
): void {
  const tensor = tensorOf<Matrices, TensorOrDraft>(operator, matrices);
  granularity(operator, { name: matrices, tensor }, { name: scale, tensor: tensorOf<Scale, ResolvedTensor>(operator, scale) });
  sameDimensionCount<Scale | ZeroPoint>(operator, scale, zeroPoint);
  sameSizes<Scale | ZeroPoint>(operator, scale, zeroPoint);
  sameDataType<Matrices | ZeroPoint>(operator, matrices, zeroPoint);
}
