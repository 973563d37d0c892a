/** Examples of batch normalization. */
import { floatTensor, own } from '../../cases/own-example.js';

/** Two channels of two elements: means 2 and 4, variances 1 and 4. */
const IMAGE = [1, 2, 1, 2];
const CHANNELS = [1, 2, 1, 1];
const inputTensor = floatTensor(IMAGE, 1, 3, 2, 6);
const scaleTensor = floatTensor(CHANNELS, 1, 2);
const biasTensor = floatTensor(CHANNELS, 0, 1);
const meanTensor = floatTensor(CHANNELS, 2, 4);
const varianceTensor = floatTensor(CHANNELS, 1, 4);
const normalized = floatTensor(IMAGE, -1, 1, -1, 3);

export const ours = [
  own(
    'batchNormalization',
    { inputTensor, meanTensor, varianceTensor, scaleTensor, biasTensor },
    { outputTensor: normalized },
    { spatial: true, epsilon: 0 },
  ),
  own(
    'batchNormalizationTraining',
    { inputTensor, scaleTensor, biasTensor },
    { outputTensor: normalized, outputMeanTensor: meanTensor, outputVarianceTensor: varianceTensor },
    { epsilon: 0 },
  ),
  own(
    'batchNormalizationGrad',
    { inputTensor, inputGradientTensor: floatTensor(IMAGE, 1, 1, 1, 2), meanTensor, varianceTensor, scaleTensor },
    {
      outputGradientTensor: floatTensor(IMAGE, 1, 1, 1, 2),
      outputScaleGradientTensor: floatTensor(CHANNELS, 0, 1),
      outputBiasGradientTensor: floatTensor(CHANNELS, 2, 3),
    },
    { epsilon: 0 },
  ),
  own(
    'batchNormalizationTrainingGrad',
    {
      inputTensor: floatTensor([4], 1, 3, 3, 5),
      inputGradientTensor: floatTensor([4], 1, 0, 0, 3),
      meanTensor: floatTensor([1], 3),
      varianceTensor: floatTensor([1], 2),
      scaleTensor: floatTensor([1], 2),
    },
    {
      outputGradientTensor: floatTensor([4], 0.5, -1, -1, 1.5),
      outputScaleGradientTensor: floatTensor([1], 2),
      outputBiasGradientTensor: floatTensor([1], 4),
    },
    { epsilon: 2 },
  ),
];
