/** Examples of the activations. */
import { floats, own, roughly, unary } from '../../cases/own-example.js';

const input = floats(-2, 0, 1);

export const ours = [
  unary('activationIdentity', input, input),
  unary('activationLinear', input, floats(-3, 1, 3), { alpha: 2, beta: 1 }),
  unary('activationRelu', input, floats(0, 0, 1)),
  own(
    'activationReluGrad',
    { inputTensor: input, inputGradientTensor: floats(10, 20, 30) },
    { outputGradientTensor: floats(0, 0, 30) },
  ),
  unary('activationLeakyRelu', input, roughly(-0.2, 0, 1), { alpha: 0.1 }),
  own(
    'activationParameterizedRelu',
    { inputTensor: input, slopeTensor: floats(0.5, 0.5, 0.5) },
    { outputTensor: floats(-1, 0, 1) },
  ),
  unary('activationThresholdedRelu', floats(-2, 0.25, 1), floats(0, 0, 1), { alpha: 0.5 }),
  unary('activationElu', input, roughly(-0.8647, 0, 1), { alpha: 1 }),
  unary('activationScaledElu', input, roughly(-1.5202, 0, 1.0507), { alpha: 1.6733, gamma: 1.0507 }),
  unary('activationCelu', input, roughly(-1.2642, 0, 1), { alpha: 2 }),
  unary('activationGelu', input, roughly(-0.0455, 0, 0.8413)),
  unary('activationSigmoid', input, roughly(0.1192, 0.5, 0.7311)),
  unary('activationHardSigmoid', input, floats(0, 0.5, 0.75), { alpha: 0.25, beta: 0.5 }),
  unary('activationSwish', input, roughly(-0.2384, 0, 0.7311), { sigmoidInputScale: 1 }),
  unary('activationHardSwish', input, floats(0, 0, 0.75), { alpha: 0.25, beta: 0.5 }),
  unary('activationTanh', input, roughly(-0.964, 0, 0.7616)),
  unary('activationScaledTanh', input, roughly(-1.5232, 0, 0.9242), { alpha: 2, beta: 0.5 }),
  unary('activationSoftplus', input, roughly(0.1269, 0.6931, 1.3133), { steepness: 1 }),
  unary('activationParametricSoftplus', input, roughly(0.2539, 1.3863, 2.6265), { alpha: 2, beta: 1 }),
  unary('activationSoftsign', input, roughly(-0.6667, 0, 0.5)),
  unary('activationShrink', floats(-2, 0.5, 3), floats(-1.5, 0, 2.5), { bias: 0.5, threshold: 1 }),
];
