/** Operators that normalize, and the one that trains. */
import { rounded, tensor, type ExampleTensor } from '../example.js';
import { own } from './own.js';

const floats = (sizes: readonly number[], ...values: readonly number[]): ExampleTensor => tensor('float32', sizes, values);

/** Two channels of two elements: means 2 and 4, variances 1 and 4. */
const IMAGE = [1, 2, 1, 2];
const CHANNELS = [1, 2, 1, 1];
const inputTensor = floats(IMAGE, 1, 3, 2, 6);
const scaleTensor = floats(CHANNELS, 1, 2);
const biasTensor = floats(CHANNELS, 0, 1);
const meanTensor = floats(CHANNELS, 2, 4);
const varianceTensor = floats(CHANNELS, 1, 4);
const normalized = floats(IMAGE, -1, 1, -1, 3);

export const normalizations = [
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
    { inputTensor, inputGradientTensor: floats(IMAGE, 1, 1, 1, 2), meanTensor, varianceTensor, scaleTensor },
    {
      outputGradientTensor: floats(IMAGE, 1, 1, 1, 2),
      outputScaleGradientTensor: floats(CHANNELS, 0, 1),
      outputBiasGradientTensor: floats(CHANNELS, 2, 3),
    },
    { epsilon: 0 },
  ),
  own(
    'batchNormalizationTrainingGrad',
    {
      inputTensor: floats([4], 1, 3, 3, 5),
      inputGradientTensor: floats([4], 1, 0, 0, 3),
      meanTensor: floats([1], 3),
      varianceTensor: floats([1], 2),
      scaleTensor: floats([1], 2),
    },
    {
      outputGradientTensor: floats([4], 0.5, -1, -1, 1.5),
      outputScaleGradientTensor: floats([1], 2),
      outputBiasGradientTensor: floats([1], 4),
    },
    { epsilon: 2 },
  ),
  own(
    'meanVarianceNormalization',
    { inputTensor, scaleTensor, biasTensor },
    { outputTensor: normalized },
    { crossChannel: false, normalizeVariance: true, epsilon: 0 },
  ),
  own(
    'meanVarianceNormalization1',
    { inputTensor: floats([2, 2], 1, 3, 2, 6) },
    { outputTensor: floats([2, 2], -1, 1, -1, 1) },
    { axes: [1], normalizeVariance: true, epsilon: 0 },
  ),
  own(
    'meanVarianceNormalization2',
    { inputTensor: floats([2, 2], 1, 7, 3, -3) },
    { outputTensor: rounded(4, floats([2, 2], 0.2, 1.4, 1, -1)) },
    { axes: [1], useMean: false, useVariance: true, epsilon: 0 },
  ),
  own(
    'localResponseNormalization',
    { inputTensor: floats([1, 3, 1, 1], 1, 2, 1) },
    { outputTensor: rounded(4, floats([1, 3, 1, 1], 0.1667, 0.2857, 0.1667)) },
    { crossChannel: true, localSize: 3, alpha: 3, beta: 1, bias: 1 },
  ),
  own(
    'localResponseNormalizationGrad',
    { inputTensor: floats([1, 3, 1, 1], 1, 2, 1), inputGradientTensor: floats([1, 3, 1, 1], 1, 1, 1) },
    { outputGradientTensor: rounded(4, floats([1, 3, 1, 1], 0.0295, -0.2426, 0.0295)) },
    { crossChannel: true, localSize: 3, alpha: 3, beta: 1, bias: 1 },
  ),
  own(
    'lpNormalization',
    { inputTensor: floats([2, 2], 3, 4, 0, -5) },
    { outputTensor: rounded(4, floats([2, 2], 0.6, 0.8, 0, -1)) },
    { axis: 1, epsilon: 0, p: 2 },
  ),
];

export const optimizers = [
  own(
    'adamOptimizer',
    {
      inputParametersTensor: floats([2], 1, 2),
      inputFirstMomentTensor: floats([2], 0, 0),
      inputSecondMomentTensor: floats([2], 0, 0),
      gradientTensor: floats([2], 1, -2),
      trainingStepTensor: tensor('uint32', [1], [1]),
    },
    {
      outputParametersTensor: floats([2], 0.5, 2.5),
      outputFirstMomentTensor: floats([2], 0.5, -1),
      outputSecondMomentTensor: floats([2], 0.25, 1),
    },
    { learningRate: 0.5, beta1: 0.5, beta2: 0.75, epsilon: 0 },
  ),
];
