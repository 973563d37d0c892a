/**
 * Identity, addition with a fused activation, and cast: each output element depends on the input elements at its
 * position.
 */
import { bitsOf } from '../../data-types/table.js';
import { refuse, sameDataType, sameDimensionCount, sameSizes, type Rule } from './rule.js';

/** Both tensors have the same dimension count, sizes and data type. `scaleBias` must be null for 64-bit data types. */
export const elementWiseIdentity: Rule<'elementWiseIdentity'> = (operator) => {
  sameDimensionCount(operator, 'inputTensor', 'outputTensor');
  sameSizes(operator, 'inputTensor', 'outputTensor');
  sameDataType(operator, 'inputTensor', 'outputTensor');
  const { dataType } = operator.inputTensor;
  if (operator.scaleBias !== null && bitsOf(dataType) === 64) {
    const why = 'DirectML scales no 64-bit types';
    throw refuse(operator, 'ERR_FIELD_COMBINATION', 'scaleBias', `null for '${dataType}'`, 'a scale and a bias', why);
  }
};

/** All tensors have the same dimension count, sizes and data type. */
export const elementWiseAdd1: Rule<'elementWiseAdd1'> = (operator) => {
  sameDimensionCount(operator, 'aTensor', 'bTensor', 'outputTensor');
  sameSizes(operator, 'aTensor', 'bTensor', 'outputTensor');
  sameDataType(operator, 'aTensor', 'bTensor', 'outputTensor');
};

/**
 * Both tensors have the same dimension count and sizes.
 * The data type of `outputTensor` must be given.
 */
export const cast: Rule<'cast'> = (operator) => {
  sameDimensionCount(operator, 'inputTensor', 'outputTensor');
  sameSizes(operator, 'inputTensor', 'outputTensor');
};
