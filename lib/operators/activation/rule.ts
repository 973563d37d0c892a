/** Element-wise activations: all their tensors have the same sizes and data type. */
import { reaches } from '../../descriptors/feature-level.js';
import { alike } from '../../descriptors/checks.js';
import { refuse, type Rule } from '../../descriptors/rule.js';

const activation = alike('inputTensor', 'outputTensor');

/** {@inheritDoc activation} Below feature level 6.4, `steepness` is at least 1. */
export const activationSoftplus: Rule<'activationSoftplus'> = (operator, featureLevel) => {
  activation(operator);
  if (operator.steepness < 1 && !reaches(featureLevel, '6.4')) {
    throw refuse(operator, 'ERR_FEATURE_LEVEL', 'steepness', 'feature level 6.4 for less than 1', featureLevel);
  }
};

export const activationCelu = activation;
export const activationElu = activation;
export const activationGelu = activation;
export const activationHardSigmoid = activation;
export const activationHardSwish = activation;
export const activationIdentity = activation;
export const activationLeakyRelu = activation;
export const activationLinear = activation;
export const activationParameterizedRelu = alike('inputTensor', 'slopeTensor', 'outputTensor');
export const activationParametricSoftplus = activation;
export const activationRelu = activation;
export const activationReluGrad = alike('inputTensor', 'inputGradientTensor', 'outputGradientTensor');
export const activationScaledElu = activation;
export const activationScaledTanh = activation;
export const activationShrink = activation;
export const activationSigmoid = activation;
export const activationSoftsign = activation;
export const activationSwish = activation;
export const activationTanh = activation;
export const activationThresholdedRelu = activation;
