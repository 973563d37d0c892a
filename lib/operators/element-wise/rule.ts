/**
 * Identity, addition with a fused activation, and cast: each output element depends on the input elements at its
 * position.
 */
import { alike, sameDimensionCount, sameSizes, sameTensors, scaleBiasFits } from '../../descriptors/checks.js';
import type { Rule } from '../../descriptors/rule.js';

/** Both tensors have the same dimension count, sizes and data type. `scaleBias` must be null for 64-bit data types. */
export const elementWiseIdentity: Rule<'elementWiseIdentity'> = (operator) => {
  sameTensors(operator, 'inputTensor', 'outputTensor');
  scaleBiasFits(operator);
};

export const elementWiseAdd1 = alike('aTensor', 'bTensor', 'outputTensor');

/**
 * Both tensors have the same dimension count and sizes.
 * The data type of `outputTensor` must be given.
 */
export const cast: Rule<'cast'> = (operator) => {
  sameDimensionCount(operator, 'inputTensor', 'outputTensor');
  sameSizes(operator, 'inputTensor', 'outputTensor');
};
