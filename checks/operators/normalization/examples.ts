/** Examples of the normalizations by mean and variance, by a local response, and by a norm. */
import { rounded } from '../../cases/example.js';
import { floatTensor, own } from '../../cases/own-example.js';

export const ours = [
  own(
    'meanVarianceNormalization',
    {
      inputTensor: floatTensor([1, 2, 1, 2], 1, 3, 2, 6),
      scaleTensor: floatTensor([1, 2, 1, 1], 1, 2),
      biasTensor: floatTensor([1, 2, 1, 1], 0, 1),
    },
    { outputTensor: floatTensor([1, 2, 1, 2], -1, 1, -1, 3) },
    { crossChannel: false, normalizeVariance: true, epsilon: 0 },
  ),
  own(
    'meanVarianceNormalization1',
    { inputTensor: floatTensor([2, 2], 1, 3, 2, 6) },
    { outputTensor: floatTensor([2, 2], -1, 1, -1, 1) },
    { axes: [1], normalizeVariance: true, epsilon: 0 },
  ),
  own(
    'meanVarianceNormalization2',
    { inputTensor: floatTensor([2, 2], 1, 7, 3, -3) },
    { outputTensor: rounded(4, floatTensor([2, 2], 0.2, 1.4, 1, -1)) },
    { axes: [1], useMean: false, useVariance: true, epsilon: 0 },
  ),
  own(
    'localResponseNormalization',
    { inputTensor: floatTensor([1, 3, 1, 1], 1, 2, 1) },
    { outputTensor: rounded(4, floatTensor([1, 3, 1, 1], 0.1667, 0.2857, 0.1667)) },
    { crossChannel: true, localSize: 3, alpha: 3, beta: 1, bias: 1 },
  ),
  own(
    'localResponseNormalizationGrad',
    { inputTensor: floatTensor([1, 3, 1, 1], 1, 2, 1), inputGradientTensor: floatTensor([1, 3, 1, 1], 1, 1, 1) },
    { outputGradientTensor: rounded(4, floatTensor([1, 3, 1, 1], 0.0295, -0.2426, 0.0295)) },
    { crossChannel: true, localSize: 3, alpha: 3, beta: 1, bias: 1 },
  ),
  own(
    'lpNormalization',
    { inputTensor: floatTensor([2, 2], 3, 4, 0, -5) },
    { outputTensor: rounded(4, floatTensor([2, 2], 0.6, 0.8, 0, -1)) },
    { axis: 1, epsilon: 0, p: 2 },
  ),
];
