/** Operators that move elements to or from places named by an index tensor. */
import { list } from '../input.js';
import { strictly } from '../strict.js';
import {
  hasSizes,
  inRange,
  leadingOnes,
  refuse,
  rightAlign,
  sameDataType,
  sameDimensionCount,
  sameSizes,
  tensorField,
  uintField,
  type ResolvedOperator,
  type Rule,
} from './rule.js';

export const scatterNd: Rule = (operator) => {
  sameDimensionCount(operator, 'inputTensor', 'outputTensor');
  strictly('scatter-dimension-counts', () => {
    sameDimensionCount(operator, 'inputTensor', 'indicesTensor', 'updatesTensor');
  });
  sameDataType(operator, 'inputTensor', 'updatesTensor', 'outputTensor');
  noBroadcastIndices(operator);
  sameSizes(operator, 'inputTensor', 'outputTensor');
  meaningfulDimensions(operator);
  const sizes = [...tuplesOf(operator), ...sliceOf(operator, 0)];
  const { length } = tensorField(operator, 'updatesTensor').sizes;
  // Leading ones of the indices count here: DirectML adds up dimension counts and does not look at the sizes.
  if (sizes.length > length) {
    const why = `the two dimension counts call for ${list(sizes)}`;
    throw refuse(operator, 'ERR_FIELD_COMBINATION', 'updatesTensor.sizes', `${sizes.length} dimensions`, `${length}`, why);
  }
  hasConcatenatedSizes(operator, 'updatesTensor', sizes);
};

export const gather: Rule = (operator) => {
  sameDimensionCount(operator, 'inputTensor', 'indicesTensor', 'outputTensor');
  sameDataType(operator, 'inputTensor', 'outputTensor');
  const input = tensorField(operator, 'inputTensor').sizes;
  const indices = tensorField(operator, 'indicesTensor').sizes;
  const axis = inRange(operator, 'axis', 0, input.length - 1);
  const indexDimensions = inRange(operator, 'indexDimensions', 0, indices.length);
  leadingOnes(operator, 'indicesTensor', indexDimensions, 'indexDimensions');
  const index = indices.slice(indices.length - indexDimensions);
  hasConcatenatedSizes(operator, 'outputTensor', [...input.slice(0, axis), ...index, ...input.slice(axis + 1)]);
};

export const gatherNd1: Rule = (operator) => {
  sameDimensionCount(operator, 'inputTensor', 'indicesTensor', 'outputTensor');
  sameDataType(operator, 'inputTensor', 'outputTensor');
  meaningfulDimensions(operator);
  const batches = batchDimensions(operator);
  const slice = sliceOf(operator, batches);
  hasConcatenatedSizes(operator, 'outputTensor', [...tuplesOf(operator), ...slice]);
};

/** A tuple that is read again would write one element twice; DirectML looks at strides of 0 only. */
function noBroadcastIndices(operator: ResolvedOperator): void {
  const { sizes, strides } = tensorField(operator, 'indicesTensor');
  const axis = sizes.findIndex((size, i) => size > 1 && strides?.[i] === 0);
  if (axis >= 0) {
    throw refuse(operator, 'ERR_STRIDES', `indicesTensor.strides[${axis}]`, 'at least 1', '0', 'indices cannot be broadcast');
  }
}

/** Both counts say how many trailing dimensions mean something. */
function meaningfulDimensions(operator: ResolvedOperator): void {
  const { length } = tensorField(operator, 'inputTensor').sizes;
  const inputCount = inRange(operator, 'inputDimensionCount', 1, length);
  const indicesCount = inRange(operator, 'indicesDimensionCount', 1, length);
  leadingOnes(operator, 'inputTensor', inputCount, 'inputDimensionCount');
  leadingOnes(operator, 'indicesTensor', indicesCount, 'indicesDimensionCount');
}

/** The leading meaningful dimensions that input and indices share. */
function batchDimensions(operator: ResolvedOperator): number {
  const inputCount = uintField(operator, 'inputDimensionCount');
  const indicesCount = uintField(operator, 'indicesDimensionCount');
  const count = inRange(operator, 'batchDimensionCount', 0, Math.min(inputCount, indicesCount) - 1);
  const input = tensorField(operator, 'inputTensor').sizes;
  const indices = tensorField(operator, 'indicesTensor').sizes;
  for (let i = 0; i < count; i++) {
    const expected = input[input.length - inputCount + i];
    const axis = indices.length - indicesCount + i;
    if (indices[axis] !== expected) {
      const why = `batch dimension ${i} of inputTensor`;
      throw refuse(operator, 'ERR_SIZES', `indicesTensor.sizes[${axis}]`, `${expected}`, `${indices[axis]}`, why);
    }
  }
  return count;
}

/** Sizes of the array of tuples: the meaningful dimensions of the indices without the last, which is the tuple. */
function tuplesOf(operator: ResolvedOperator): readonly number[] {
  const { sizes } = tensorField(operator, 'indicesTensor');
  return sizes.slice(sizes.length - uintField(operator, 'indicesDimensionCount'), -1);
}

/** Sizes of what one tuple names: the dimensions of the input that no coordinate is given for. */
function sliceOf(operator: ResolvedOperator, batches: number): readonly number[] {
  const { sizes } = tensorField(operator, 'inputTensor');
  const indices = tensorField(operator, 'indicesTensor').sizes;
  const count = uintField(operator, 'inputDimensionCount');
  const tupleSize = indices[indices.length - 1] ?? 0;
  if (tupleSize > count - batches) {
    const field = `indicesTensor.sizes[${indices.length - 1}]`;
    const why = 'an index tuple has at most one coordinate per dimension of the input';
    throw refuse(operator, 'ERR_SIZES', field, `1 to ${count - batches}`, `${tupleSize}`, why);
  }
  return sizes.slice(sizes.length - count + batches + tupleSize);
}

function hasConcatenatedSizes(operator: ResolvedOperator, name: string, sizes: readonly number[]): void {
  const { length } = tensorField(operator, name).sizes;
  const expected = rightAlign(sizes, length);
  if (expected === null) {
    const why = `it has to hold ${list(sizes)}`;
    throw refuse(operator, 'ERR_FIELD_COMBINATION', `${name}.sizes`, `at least ${sizes.length} dimensions`, `${length}`, why);
  }
  hasSizes(operator, name, expected, 'from the sizes of indices and input');
}
