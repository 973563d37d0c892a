/** Examples of the Adam optimizer. */
import { tensor } from '../../cases/example.js';
import { floatTensor, own } from '../../cases/own-example.js';

export const ours = [
  own(
    'adamOptimizer',
    {
      inputParametersTensor: floatTensor([2], 1, 2),
      inputFirstMomentTensor: floatTensor([2], 0, 0),
      inputSecondMomentTensor: floatTensor([2], 0, 0),
      gradientTensor: floatTensor([2], 1, -2),
      trainingStepTensor: tensor('uint32', [1], [1]),
    },
    {
      outputParametersTensor: floatTensor([2], 0.5, 2.5),
      outputFirstMomentTensor: floatTensor([2], 0.5, -1),
      outputSecondMomentTensor: floatTensor([2], 0.25, 1),
    },
    { learningRate: 0.5, beta1: 0.5, beta2: 0.75, epsilon: 0 },
  ),
];
