/** Finds the k largest or smallest elements along an axis. */
import { axisOf, inRange, sameDataType, sameDimensionCount, sameSizesExceptAlong } from '../../descriptors/checks.js';
import type { Rule } from '../../descriptors/rule.js';

/**
 * All tensors have the same dimension count. `inputTensor` and `outputValueTensor` have the same data type. `axis` is
 * a dimension of `inputTensor`, counted from 0. `k` is 1 to the size of `inputTensor` along `axis`.
 * `outputValueTensor` and `outputIndexTensor` have the sizes of `inputTensor`, except along `axis`, where their size
 * is `k`.
 */
const top: Rule<'topK' | 'topK1'> = (operator) => {
  sameDimensionCount(operator, 'inputTensor', 'outputValueTensor', 'outputIndexTensor');
  sameDataType(operator, 'inputTensor', 'outputValueTensor');
  const axis = axisOf(operator, operator.inputTensor);
  const k = inRange(operator, 'k', 1, operator.inputTensor.sizes[axis] ?? 1);
  sameSizesExceptAlong(operator, 'inputTensor', 'outputValueTensor', axis, k);
  sameSizesExceptAlong(operator, 'inputTensor', 'outputIndexTensor', axis, k);
};

export const topK = top;
export const topK1 = top;
