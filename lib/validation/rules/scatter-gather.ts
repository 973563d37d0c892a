/** Operators that move elements to or from places named by an index tensor. */
import { list, type DirectMLError } from '../../errors.js';
import type { Resolved, ResolvedTensor } from '../resolved.js';
import { strict, strictly } from '../strict.js';
import {
  dimensionCount,
  hasSizes,
  inRange,
  leadingOnes,
  refuse,
  rightAlign,
  sameDataType,
  sameDimensionCount,
  sameSizes,
  tensorOf,
  type Rule,
  type Typed,
  type WithTensors,
} from './rule.js';

/**
 * All tensors have the same dimension count; `inputTensor` and `outputTensor` have the same sizes. All tensors but
 * `indicesTensor` have the same data type. `inputDimensionCount` and `indicesDimensionCount` are 1 to the dimension
 * count: so many of the last dimensions of `inputTensor` and `indicesTensor` mean something, and sizes before these
 * are 1. The last size of `indicesTensor` is the length of a tuple of coordinates, at most `inputDimensionCount`.
 * `updatesTensor` has the sizes of `indicesTensor` without the last one, then those of `inputTensor` that tuples give no
 * coordinate for, right-aligned. A stride of `indicesTensor` is 0 only where the size is 1.
 */
export const scatterNd: Rule<'scatterNd'> = (operator) => {
  sameDimensionCount(operator, 'inputTensor', 'outputTensor');
  strictly('dimension-counts', () => {
    sameDimensionCount(operator, 'inputTensor', 'indicesTensor', 'updatesTensor');
  });
  sameDataType(operator, 'inputTensor', 'updatesTensor', 'outputTensor');
  noBroadcastIndices(operator);
  sameSizes(operator, 'inputTensor', 'outputTensor');
  meaningfulDimensions(operator);
  hasTuplesAndSlice(operator, 'updatesTensor', sliceOf(operator, 0));
};

/**
 * All tensors have the same dimension count. `inputTensor` and `outputTensor` have the same data type. `axis` is a
 * dimension of `inputTensor`, counted from 0. `indexDimensions` is at most the dimension count: so many of the last
 * dimensions of `indicesTensor` mean something, and sizes before these are 1. `outputTensor` has the sizes of
 * `inputTensor` with those of `indicesTensor` in place of the one along `axis`, right-aligned.
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
  if (rightAlign(sizes, dimensionCount(outputTensor)) === null) {
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
 * `inputDimensionCount` and `indicesDimensionCount` are 1 to the dimension count: so many of the last dimensions of
 * `inputTensor` and `indicesTensor` mean something, and sizes before these are 1. `batchDimensionCount` is below both:
 * the first of the meaningful dimensions, which have the same sizes in both. The last size of `indicesTensor` is the
 * length of a tuple of coordinates, at most `inputDimensionCount` less `batchDimensionCount`. `outputTensor` has the
 * sizes of `indicesTensor` without the last one, then those of `inputTensor` that tuples give no coordinate for,
 * right-aligned.
 */
export const gatherNd1: Rule<'gatherNd' | 'gatherNd1'> = (operator) => {
  sameDimensionCount(operator, 'inputTensor', 'indicesTensor', 'outputTensor');
  sameDataType(operator, 'inputTensor', 'outputTensor');
  meaningfulDimensions(operator);
  const { inputDimensionCount: inputCount, indicesDimensionCount: indicesCount } = operator;
  const most = Math.min(inputCount, indicesCount) - 1;
  const batches = operator.type === 'gatherNd' ? 0 : inRange(operator, 'batchDimensionCount', 0, most);
  hasTuplesAndSlice(operator, 'outputTensor', sliceOf(operator, batches));
  strictly('gather-batch-sizes', () => sameBatches(operator, batches));
};

/**
 * All tensors have the same dimension count. `inputTensor` and `outputTensor` have the same data type.
 * `inputDimensionCount` and `indicesDimensionCount` are 1 to the dimension count: so many of the last dimensions of
 * `inputTensor` and `indicesTensor` mean something, and sizes before these are 1. The last size of `indicesTensor` is
 * the length of a tuple of coordinates, at most `inputDimensionCount`. `outputTensor` has the sizes of
 * `indicesTensor` without the last one, then those of `inputTensor` that tuples give no coordinate for, right-
 * aligned.
 */
export const gatherNd = gatherNd1;

/** Operators whose indices are tuples of coordinates. */
type Tuples = Resolved<'scatterNd' | 'gatherNd' | 'gatherNd1'>;

/** A tuple that is read again would write one element twice; DirectML looks at strides of 0 only. */
function noBroadcastIndices(operator: Resolved<'scatterNd'>): void {
  const { sizes, strides } = operator.indicesTensor;
  const axis = sizes.findIndex((size, i) => size > 1 && strides?.[i] === 0);
  if (axis >= 0) {
    throw refuse(operator, 'ERR_STRIDES', `indicesTensor.strides[${axis}]`, 'at least 1', '0', 'indices cannot be broadcast');
  }
}

/** Both counts say how many trailing dimensions mean something. */
function meaningfulDimensions(operator: Tuples): void {
  const { length } = operator.inputTensor.sizes;
  const inputCount = inRange(operator, 'inputDimensionCount', 1, length);
  const indicesCount = inRange(operator, 'indicesDimensionCount', 1, length);
  leadingOnes(operator, 'inputTensor', inputCount, 'inputDimensionCount');
  leadingOnes(operator, 'indicesTensor', indicesCount, 'indicesDimensionCount');
}

/** The leading meaningful dimensions that input and indices share. */
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

/** Sizes of the array of tuples: the meaningful dimensions of the indices without the last, which is the tuple. */
function tuplesOf(operator: Tuples): readonly number[] {
  const { sizes } = operator.indicesTensor;
  return sizes.slice(sizes.length - operator.indicesDimensionCount, -1);
}

/** Sizes of what one tuple names: the dimensions of the input that no coordinate is given for. */
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
  const tensor = tensorOf<Name, ResolvedTensor>(operator, name);
  // Leading ones of the indices count here: DirectML adds up dimension counts and does not look at the sizes.
  if (sizes.length > dimensionCount(tensor)) {
    throw tooFewDimensions(operator, name, tensor, sizes, 'that is what the two dimension counts call for');
  }
  hasTrailingSizes<Name>(operator, name, sizes);
}

/** The tensor has as many of the last of `sizes` as it has dimensions, and ones before them. */
function hasTrailingSizes<Name extends string>(operator: WithTensors<NoInfer<Name>>, name: Name, sizes: readonly number[]): void {
  const length = dimensionCount(tensorOf<Name, ResolvedTensor>(operator, name));
  const expected = [...new Array<number>(Math.max(0, length - sizes.length)).fill(1), ...sizes.slice(-length)];
  hasSizes<Name>(operator, name, expected, 'from the sizes of indices and input');
}

function tooFewDimensions(
  operator: Typed,
  name: string,
  tensor: ResolvedTensor,
  sizes: readonly number[],
  why: string,
): DirectMLError {
  const expected = `at least ${sizes.length} dimensions, to hold ${list(sizes)}`;
  return refuse(operator, 'ERR_FIELD_COMBINATION', `${name}.sizes`, expected, `${dimensionCount(tensor)}`, why);
}
