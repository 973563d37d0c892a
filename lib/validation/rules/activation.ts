/** Activations of one tensor, element by element. */
import { sameDataType, sameDimensionCount, sameSizes, type Rule } from './rule.js';

const activation: Rule = (operator) => {
  sameDimensionCount(operator, 'inputTensor', 'outputTensor');
  sameSizes(operator, 'inputTensor', 'outputTensor');
  sameDataType(operator, 'inputTensor', 'outputTensor');
};

export const activationIdentity = activation;
export const activationLeakyRelu = activation;
export const activationLinear = activation;
export const activationRelu = activation;
