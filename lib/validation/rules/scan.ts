/** Operators that run along one axis and give every intermediate result. */
import { inRange, sameDataType, sameDimensionCount, sameSizes, tensorField, type Rule } from './rule.js';

/**
 * Both tensors have the same dimension count, sizes and data type. `axis` is a dimension of the tensors, counted from 0.
 */
const scan: Rule = (operator) => {
  sameDimensionCount(operator, 'inputTensor', 'outputTensor');
  sameSizes(operator, 'inputTensor', 'outputTensor');
  sameDataType(operator, 'inputTensor', 'outputTensor');
  inRange(operator, 'axis', 0, tensorField(operator, 'inputTensor').sizes.length - 1);
};

export const cumulativeSummation = scan;
export const cumulativeProduct = scan;
