/** Element-wise quantization by a scale and an optional zero point, which is 0 if it is left out. */
import type { Drafted } from '../../descriptors/drafted.js';
import { hasSizes, sameDataType, sameDimensionCount, sameSizes } from '../../descriptors/checks.js';
import { refuse, type Rule } from '../../descriptors/rule.js';

/**
 * All tensors have the same dimension count and sizes. A `scaleTensor` or `zeroPointTensor` with strides of 0 applies
 * one value to all elements.
 */
const byElement = (operator: Drafted<'elementWiseQuantizeLinear' | 'elementWiseDequantizeLinear'>): void => {
  sameDimensionCount(operator, 'inputTensor', 'scaleTensor', 'zeroPointTensor', 'outputTensor');
  sameSizes(operator, 'inputTensor', 'scaleTensor', 'zeroPointTensor', 'outputTensor');
};

/**
 * {@inheritDoc byElement} `scaleTensor` has the data type of `inputTensor`, or float32 if that is int32.
 * `zeroPointTensor` has the data type of `outputTensor`.
 * The data type of `outputTensor` must be given if there is no `zeroPointTensor`.
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
 * {@inheritDoc byElement} `scaleTensor` has the data type of `outputTensor`. `zeroPointTensor` has the data type of
 * `inputTensor`.
 */
export const elementWiseDequantizeLinear: Rule<'elementWiseDequantizeLinear'> = (operator) => {
  byElement(operator);
  sameDataType(operator, 'scaleTensor', 'outputTensor');
  sameDataType(operator, 'inputTensor', 'zeroPointTensor');
};

const QUANTIZED = ['a', 'b', 'output'] as const;

/**
 * All tensors have the same dimension count. `aTensor`, `bTensor` and `outputTensor` have the same sizes. Each scale
 * and each zero point applies to a whole tensor: all its sizes are 1. Each zero point has the data type of its
 * tensor.
 * The data type of `outputTensor` must be given if there is no `outputZeroPointTensor`.
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
