/** Operators that work along one axis, with an index for each element or a length for each sequence. */
import { needSizes } from '../../descriptors/drafted.js';
import { axisOf, sameDataType, sameDimensionCount, sameSizes, sameSizesExceptAlong } from '../../descriptors/checks.js';
import { refuse, type Rule } from '../../descriptors/rule.js';
import { productOf } from '../../tensors/tensor-size.js';

/**
 * All tensors have the same dimension count. `inputTensor` and `outputTensor` have the same data type. `axis` is a
 * dimension of `inputTensor`, counted from 0. `indicesTensor` has the sizes of `inputTensor`, except along `axis`,
 * where any size is allowed. `outputTensor` has the sizes of `indicesTensor`.
 */
export const gatherElements: Rule<'gatherElements'> = (operator) => {
  sameDimensionCount(operator, 'inputTensor', 'indicesTensor', 'outputTensor');
  sameDataType(operator, 'inputTensor', 'outputTensor');
  const axis = axisOf(operator, operator.inputTensor);
  const size = operator.indicesTensor.sizes[axis] ?? 1;
  sameSizesExceptAlong(operator, 'inputTensor', 'indicesTensor', axis, size);
  sameSizes(operator, 'indicesTensor', 'outputTensor');
};

/**
 * All tensors have the same dimension count. All tensors except `indicesTensor` have the same data type. `axis` is a
 * dimension of `inputTensor`, counted from 0. `outputTensor` has the sizes of `inputTensor`. `indicesTensor` has the
 * sizes of `inputTensor`, except along `axis`, where it may be smaller. `updatesTensor` has the sizes of
 * `indicesTensor`.
 */
export const scatterElements: Rule<'scatterElements'> = (operator) => {
  sameDimensionCount(operator, 'inputTensor', 'indicesTensor', 'updatesTensor', 'outputTensor');
  sameDataType(operator, 'inputTensor', 'updatesTensor', 'outputTensor');
  const axis = axisOf(operator, operator.inputTensor);
  sameSizes(operator, 'inputTensor', 'outputTensor');
  const inputSize = operator.inputTensor.sizes[axis] ?? 1;
  const size = operator.indicesTensor.sizes[axis] ?? 1;
  sameSizesExceptAlong(operator, 'inputTensor', 'indicesTensor', axis, Math.min(size, inputSize));
  sameSizes(operator, 'indicesTensor', 'updatesTensor');
};

/**
 * `indicesTensor` and `outputTensor` have the same dimension count. `valuesTensor` and `outputTensor` have the same
 * data type. `axis` is a dimension of `outputTensor`, counted from 0. `indicesTensor` has the sizes of
 * `outputTensor`, except along `axis`, where its size is 1. `valuesTensor` has at least 2 elements: the off value,
 * then the on value. The sizes of `outputTensor` must be given.
 */
export const oneHot: Rule<'oneHot'> = (operator) => {
  sameDimensionCount(operator, 'indicesTensor', 'outputTensor');
  sameDataType(operator, 'valuesTensor', 'outputTensor');
  needSizes(operator.outputTensor, 'the sizes of indicesTensor, and any along axis');
  const axis = axisOf(operator, operator.outputTensor);
  sameSizesExceptAlong(operator, 'outputTensor', 'indicesTensor', axis, 1);
  const { sizes } = operator.valuesTensor;
  if (productOf(sizes) < 2) {
    const why = 'the off and the on value';
    throw refuse(operator, 'ERR_SIZES', 'valuesTensor.sizes', 'at least 2 elements', `${productOf(sizes)}`, why);
  }
};

/**
 * All tensors have the same dimension count. `inputTensor` and `outputTensor` have the same sizes and data type.
 * `axis` is a dimension of `inputTensor`, counted from 0. `sequenceLengthsTensor` has the sizes of `inputTensor`,
 * except along `axis`, where its size is 1.
 */
export const reverseSubsequences: Rule<'reverseSubsequences'> = (operator) => {
  sameDimensionCount(operator, 'inputTensor', 'sequenceLengthsTensor', 'outputTensor');
  sameDataType(operator, 'inputTensor', 'outputTensor');
  const axis = axisOf(operator, operator.inputTensor);
  sameSizes(operator, 'inputTensor', 'outputTensor');
  sameSizesExceptAlong(operator, 'inputTensor', 'sequenceLengthsTensor', axis, 1);
};
