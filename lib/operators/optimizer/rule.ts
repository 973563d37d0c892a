/** Optimizers, which update weights in training. */
import { list } from '../../values/errors.js';
import { sameDataType, sameDimensionCount, sameSizes } from '../../descriptors/checks.js';
import { refuse, type Rule } from '../../descriptors/rule.js';

const WEIGHTS = [
  'inputFirstMomentTensor',
  'inputSecondMomentTensor',
  'gradientTensor',
  'outputParametersTensor',
  'outputFirstMomentTensor',
  'outputSecondMomentTensor',
] as const;

/**
 * All tensors except `trainingStepTensor` have the same data type, dimension count and sizes. `trainingStepTensor`
 * has one element: all its sizes are 1.
 */
export const adamOptimizer: Rule<'adamOptimizer'> = (operator) => {
  sameDataType(operator, 'inputParametersTensor', ...WEIGHTS);
  sameDimensionCount(operator, 'inputParametersTensor', ...WEIGHTS);
  sameSizes(operator, 'inputParametersTensor', ...WEIGHTS);
  const { sizes } = operator.trainingStepTensor;
  if (sizes.some((size) => size !== 1)) {
    throw refuse(operator, 'ERR_SIZES', 'trainingStepTensor.sizes', 'one element', list(sizes));
  }
};
