/** Operators that compute each output element from the input elements at the same place. */
import { sameDataType, sameDimensionCount, sameSizes, type Rule } from './rule.js';

export const elementWiseIdentity: Rule = (operator) => {
  sameDimensionCount(operator, 'inputTensor', 'outputTensor');
  sameSizes(operator, 'inputTensor', 'outputTensor');
  sameDataType(operator, 'inputTensor', 'outputTensor');
};

export const elementWiseAdd1: Rule = (operator) => {
  sameDimensionCount(operator, 'aTensor', 'bTensor', 'outputTensor');
  sameSizes(operator, 'aTensor', 'bTensor', 'outputTensor');
  sameDataType(operator, 'aTensor', 'bTensor', 'outputTensor');
};

export const cast: Rule = (operator) => {
  sameDimensionCount(operator, 'inputTensor', 'outputTensor');
  sameSizes(operator, 'inputTensor', 'outputTensor');
};
