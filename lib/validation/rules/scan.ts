/** Operators that run along one axis and give every intermediate result. */
import { inRange, sameDataType, sameDimensionCount, sameSizes, tensorField, type Rule } from './rule.js';

const scan: Rule = (operator) => {
  sameDimensionCount(operator, 'inputTensor', 'outputTensor');
  sameSizes(operator, 'inputTensor', 'outputTensor');
  sameDataType(operator, 'inputTensor', 'outputTensor');
  inRange(operator, 'axis', 0, tensorField(operator, 'inputTensor').sizes.length - 1);
};

export const cumulativeSummation = scan;
export const cumulativeProduct = scan;
