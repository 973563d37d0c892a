/** Quantization, by a scale and a zero point that can be left out, which is the zero point 0. */
import type { Resolved } from '../resolved.js';
import { hasSizes, refuse, sameDataType, sameDimensionCount, sameSizes, type Rule } from './rule.js';

/** Each element has its own scale and zero point; one for all is a tensor with strides of 0. */
const byElement = (operator: Resolved<'elementWiseQuantizeLinear' | 'elementWiseDequantizeLinear'>): void => {
  sameDimensionCount(operator, 'inputTensor', 'scaleTensor', 'zeroPointTensor', 'outputTensor');
  sameSizes(operator, 'inputTensor', 'scaleTensor', 'zeroPointTensor', 'outputTensor');
};

/**
 * All tensors have the same dimension count and sizes. `scaleTensor` has the data type of `inputTensor`, and float32 for
 * one of int32. `zeroPointTensor` has the data type of `outputTensor`.
 * The data type of `outputTensor` must be given where there is no `zeroPointTensor`.
 */
export const elementWiseQuantizeLinear: Rule<'elementWiseQuantizeLinear'> = (operator) => {
  byElement(operator);
  const { dataType } = operator.scaleTensor;
  if (operator.inputTensor.dataType !== 'int32') {
    sameDataType(operator, 'inputTensor', 'scaleTensor');
  } else if (dataType !== 'float32') {
    throw refuse(operator, 'ERR_DATA_TYPE', 'scaleTensor.dataType', `'float32' for an input of 'int32'`, `'${dataType}'`);
  }
  sameDataType(operator, 'outputTensor', 'zeroPointTensor');
};

/**
 * All tensors have the same dimension count and sizes. `scaleTensor` has the data type of `outputTensor`.
 * `zeroPointTensor` has the data type of `inputTensor`.
 */
export const elementWiseDequantizeLinear: Rule<'elementWiseDequantizeLinear'> = (operator) => {
  byElement(operator);
  sameDataType(operator, 'scaleTensor', 'outputTensor');
  sameDataType(operator, 'inputTensor', 'zeroPointTensor');
};

const QUANTIZED = ['a', 'b', 'output'] as const;

/**
 * All tensors have the same dimension count. `aTensor`, `bTensor` and `outputTensor` have the same sizes. A scale and a
 * zero point hold for a whole tensor: all their sizes are 1. A zero point has the data type of its tensor.
 * The data type of `outputTensor` must be given where there is no `outputZeroPointTensor`.
 */
export const elementWiseQuantizedLinearAdd: Rule<'elementWiseQuantizedLinearAdd'> = (operator) => {
  sameDimensionCount(operator, 'aTensor', 'bTensor', 'outputTensor');
  sameSizes(operator, 'aTensor', 'bTensor', 'outputTensor');
  const ones = operator.aTensor.sizes.map(() => 1);
  for (const name of QUANTIZED) {
    const parameters = [`${name}ScaleTensor`, `${name}ZeroPointTensor`] as const;
    sameDimensionCount(operator, 'aTensor', ...parameters);
    for (const parameter of parameters) hasSizes(operator, parameter, ones, 'it holds for the whole tensor');
    sameDataType(operator, `${name}Tensor` as const, `${name}ZeroPointTensor` as const);
  }
};
