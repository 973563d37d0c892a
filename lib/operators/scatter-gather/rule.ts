/** Operators that move elements to or from the positions that an index tensor gives. */
import { list, type DirectMLError } from '../../values/errors.js';
import { needDimensionCount, type Drafted, type TensorOrDraft } from '../../descriptors/drafted.js';
import { strict, strictly } from '../../descriptors/strict.js';
import {
  hasSizes,
  inRange,
  leadingOnes,
  rightAlign,
  sameDataType,
  sameDimensionCount,
  sameSizes,
} from '../../descriptors/checks.js';
import { refuse, tensorOf, type Rule, type Typed, type WithTensors } from '../../descriptors/rule.js';

/**
 * All tensors have the same dimension count. All tensors except `indicesTensor` have the same data type.
 * `outputTensor` has the sizes of `inputTensor`. {@inheritDoc significantDimensions} The last size of `indicesTensor`
 * is the length of an index tuple, at most `inputDimensionCount`. `updatesTensor` has the significant sizes of
 * `indicesTensor` without the last one, followed by the sizes of the dimensions of `inputTensor` that the tuples do
 * not index; leading sizes are 1. A stride of `indicesTensor` may be 0 only if the size of its dimension is 1.
 */
export const scatterNd: Rule<'scatterNd'> = (operator) => {
  sameDimensionCount(operator, 'inputTensor', 'outputTensor');
  strictly('dimension-counts', () => {
    sameDimensionCount(operator, 'inputTensor', 'indicesTensor', 'updatesTensor');
  });
  sameDataType(operator, 'inputTensor', 'updatesTensor', 'outputTensor');
  noBroadcastIndices(operator);
  sameSizes(operator, 'inputTensor', 'outputTensor');
  significantDimensions(operator);
  hasTuplesAndSlice(operator, 'updatesTensor', sliceOf(operator, 0));
};

/**
 * All tensors have the same dimension count. `inputTensor` and `outputTensor` have the same data type. `axis` is a
 * dimension of `inputTensor`, counted from 0. `indexDimensions` is at most the dimension count. Only the last
 * `indexDimensions` dimensions of `indicesTensor` are significant; leading sizes must be 1. `outputTensor` has the
 * sizes of `inputTensor`, with the significant sizes of `indicesTensor` in place of the size along `axis`, aligned to
 * the last dimension; if these are more sizes than dimensions, the first ones must be 1 and are left out.
 */
export const gather: Rule<'gather'> = (operator) => {
  sameDimensionCount(operator, 'inputTensor', 'indicesTensor', 'outputTensor');
  sameDataType(operator, 'inputTensor', 'outputTensor');
  const {
    inputTensor: { sizes: input },
    indicesTensor: { sizes: indices },
    outputTensor,
  } = operator;
  const axis = inRange(operator, 'axis', 0, input.length - 1);
  const indexDimensions = inRange(operator, 'indexDimensions', 0, indices.length);
  strictly('gather-index-sizes', () => leadingOnes(operator, 'indicesTensor', indexDimensions, 'indexDimensions'));
  const index = indices.slice(indices.length - indexDimensions);
  const sizes = [...input.slice(0, axis), ...index, ...input.slice(axis + 1)];
  hasTrailingSizes(operator, 'outputTensor', sizes);
  if (rightAlign(sizes, needDimensionCount(outputTensor)) === null) {
    const error = tooFewDimensions(
      operator,
      'outputTensor',
      outputTensor,
      sizes,
      'that is what axis and indexDimensions call for',
    );
    throw strict('gather-cut-output', error);
  }
};

/**
 * All tensors have the same dimension count. `inputTensor` and `outputTensor` have the same data type.
 * {@inheritDoc significantDimensions} The last size of `indicesTensor` is the length of an index tuple, at most
 * `inputDimensionCount`. `outputTensor` has the significant sizes of `indicesTensor` without the last one, followed
 * by the sizes of the last dimensions of `inputTensor`, which the tuples do not index; leading sizes are 1.
 * `batchDimensionCount` is less than `inputDimensionCount` and `indicesDimensionCount`: it says how many of the first
 * significant dimensions are batch dimensions, which have the same sizes in `inputTensor` and `indicesTensor`. With
 * batch dimensions, an index tuple has at most `inputDimensionCount` - `batchDimensionCount` coordinates.
 */
export const gatherNd1: Rule<'gatherNd' | 'gatherNd1'> = (operator) => {
  sameDimensionCount(operator, 'inputTensor', 'indicesTensor', 'outputTensor');
  sameDataType(operator, 'inputTensor', 'outputTensor');
  significantDimensions(operator);
  const { inputDimensionCount: inputCount, indicesDimensionCount: indicesCount } = operator;
  const maximum = Math.min(inputCount, indicesCount) - 1;
  const batches = operator.type === 'gatherNd' ? 0 : inRange(operator, 'batchDimensionCount', 0, maximum);
  hasTuplesAndSlice(operator, 'outputTensor', sliceOf(operator, batches));
  strictly('gather-batch-sizes', () => sameBatches(operator, batches));
};

export const gatherNd = gatherNd1;

/** Operators whose indices are tuples of coordinates. */
type Tuples = Drafted<'scatterNd' | 'gatherNd' | 'gatherNd1'>;

/** A broadcast tuple would write one element twice. Like DirectML, this looks only at strides of 0. */
function noBroadcastIndices(operator: Drafted<'scatterNd'>): void {
  const { sizes, strides } = operator.indicesTensor;
  const axis = sizes.findIndex((size, i) => size > 1 && strides?.[i] === 0);
  if (axis >= 0) {
    throw refuse(operator, 'ERR_STRIDES', `indicesTensor.strides[${axis}]`, 'at least 1', '0', 'indices cannot be broadcast');
  }
}

/**
 * `inputDimensionCount` and `indicesDimensionCount` are 1 to the dimension count. Only the last `inputDimensionCount`
 * dimensions of `inputTensor` and the last `indicesDimensionCount` dimensions of `indicesTensor` are significant;
 * leading sizes must be 1.
 */
function significantDimensions(operator: Tuples): void {
  const { length } = operator.inputTensor.sizes;
  const inputCount = inRange(operator, 'inputDimensionCount', 1, length);
  const indicesCount = inRange(operator, 'indicesDimensionCount', 1, length);
  leadingOnes(operator, 'inputTensor', inputCount, 'inputDimensionCount');
  leadingOnes(operator, 'indicesTensor', indicesCount, 'indicesDimensionCount');
}

/** The batch dimensions are the first significant ones. They have the same sizes in input and indices. */
function sameBatches(operator: Tuples, count: number): void {
  const {
    inputTensor: { sizes: input },
    indicesTensor: { sizes: indices },
  } = operator;
  for (let i = 0; i < count; i++) {
    const expected = input[input.length - operator.inputDimensionCount + i];
    const axis = indices.length - operator.indicesDimensionCount + i;
    if (indices[axis] !== expected) {
      const why = `batch dimension ${i} of inputTensor`;
      throw refuse(operator, 'ERR_SIZES', `indicesTensor.sizes[${axis}]`, `${expected}`, `${indices[axis]}`, why);
    }
  }
}

/**
 * The sizes of the array of tuples: the significant sizes of the indices, without the last one, which is the length
 * of a tuple.
 */
function tuplesOf(operator: Tuples): readonly number[] {
  const { sizes } = operator.indicesTensor;
  return sizes.slice(sizes.length - operator.indicesDimensionCount, -1);
}

/** The sizes of the slice that one tuple refers to: those of the input dimensions that the tuple does not index. */
function sliceOf(operator: Tuples, batches: number): readonly number[] {
  const {
    inputTensor: { sizes },
    indicesTensor: { sizes: indices },
  } = operator;
  const count = operator.inputDimensionCount;
  const tupleSize = indices[indices.length - 1] ?? 0;
  if (tupleSize > count - batches) {
    const field = `indicesTensor.sizes[${indices.length - 1}]`;
    const why = 'an index tuple has at most one coordinate per dimension of the input';
    throw refuse(operator, 'ERR_SIZES', field, `1 to ${count - batches}`, `${tupleSize}`, why);
  }
  return sizes.slice(sizes.length - count + batches + tupleSize);
}

/** The tensor holds a slice for each tuple. */
function hasTuplesAndSlice<Name extends string>(
  operator: Tuples & WithTensors<NoInfer<Name>>,
  name: Name,
  slice: readonly number[],
): void {
  const sizes = [...tuplesOf(operator), ...slice];
  const tensor = tensorOf<Name, TensorOrDraft>(operator, name);
  // Leading ones of the indices count here: DirectML adds up dimension counts and does not look at the sizes.
  if (sizes.length > needDimensionCount(tensor)) {
    throw tooFewDimensions(operator, name, tensor, sizes, 'that is what the two dimension counts call for');
  }
  hasTrailingSizes<Name>(operator, name, sizes);
}

/** The tensor has the last of `sizes`, as many as it has dimensions, with leading ones if it has more. */
function hasTrailingSizes<Name extends string>(operator: WithTensors<NoInfer<Name>>, name: Name, sizes: readonly number[]): void {
  const length = needDimensionCount(tensorOf<Name, TensorOrDraft>(operator, name));
  const expected = [...new Array<number>(Math.max(0, length - sizes.length)).fill(1), ...sizes.slice(-length)];
  hasSizes<Name>(operator, name, expected, 'from the sizes of indices and input');
}

function tooFewDimensions(
  operator: Typed,
  name: string,
  tensor: TensorOrDraft,
  sizes: readonly number[],
  why: string,
): DirectMLError {
  const expected = `at least ${sizes.length} dimensions, to hold ${list(sizes)}`;
  return refuse(operator, 'ERR_FIELD_COMBINATION', `${name}.sizes`, expected, `${needDimensionCount(tensor)}`, why);
}
