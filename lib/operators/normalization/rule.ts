/** Normalization by statistics of the input itself: along axes, in a neighbourhood, or by a norm. */
import { reaches } from '../../descriptors/feature-level.js';
import type { FeatureLevel } from '../../tensors/generated/enums.js';
import { strictly } from '../../descriptors/strict.js';
import type { Drafted } from '../../descriptors/drafted.js';
import { axesFit, eachAxisOnce } from '../../descriptors/axes.js';
import {
  axisOf,
  broadcastsTo,
  fitsOneDispatch,
  inRange,
  sameDataType,
  sameDimensionCount,
  sameTensors,
} from '../../descriptors/checks.js';
import { has, refuse, type Rule } from '../../descriptors/rule.js';

type MeanVariance = 'meanVarianceNormalization' | 'meanVarianceNormalization1' | 'meanVarianceNormalization2';

const PARAMETERS = ['scaleTensor', 'biasTensor'] as const;

/**
 * {@inheritDoc scaleAndBiasFit} Below feature level 5.2, `scaleTensor` and `biasTensor` are both given or both left
 * out.
 */
export const meanVarianceNormalization: Rule<MeanVariance> = (operator, featureLevel) => {
  scaleAndBiasFit(operator);
  const given = PARAMETERS.filter((name) => has(operator, name));
  if (given.length === 1 && !reaches(featureLevel, '5.2')) {
    const field = given[0] === 'scaleTensor' ? 'biasTensor' : 'scaleTensor';
    const expected = `feature level 5.2 without it beside ${given[0]}`;
    throw refuse(operator, 'ERR_FEATURE_LEVEL', field, expected, featureLevel);
  }
};

/**
 * {@inheritDoc scaleAndBiasFit} Below feature level 5.2, `scaleTensor` and `biasTensor` are both given or both left
 * out. Below feature level 4.0, `scaleTensor` and `biasTensor` do not broadcast along the channels. Each of `axes` is
 * a dimension of the tensors, counted from 0. The other dimensions have at most 16,776,960 elements.
 */
export const meanVarianceNormalization1: Rule<'meanVarianceNormalization1'> = (operator, featureLevel) => {
  meanVarianceNormalization(operator, featureLevel);
  for (const name of PARAMETERS) ownChannels(operator, name, featureLevel);
  axesFit(operator, operator.axes, operator.inputTensor);
  eachAxisOnce(operator, operator.axes);
  fitsOneDispatch(operator, 'inputTensor', operator.axes);
};

/** {@inheritDoc scaleAndBiasFit} Each of `axes` is a dimension of the tensors, counted from 0. */
export const meanVarianceNormalization2: Rule<'meanVarianceNormalization2'> = (operator, featureLevel) => {
  meanVarianceNormalization(operator, featureLevel);
  axesFit(operator, operator.axes, operator.inputTensor);
  eachAxisOnce(operator, operator.axes);
};

/** All tensors have the same data type, dimension count and sizes. `localSize` is at least 1. */
export const localResponseNormalization: Rule<'localResponseNormalization'> = (operator) => {
  sameTensors(operator, 'inputTensor', 'outputTensor');
  inRange(operator, 'localSize', 1, 2 ** 32 - 1);
};

/** Along one dimension. Networks use neighbourhoods of about 5. */
const MAX_NEIGHBOURS = 255;

/** All tensors have the same data type, dimension count and sizes. `localSize` is 1 to 255. */
export const localResponseNormalizationGrad: Rule<'localResponseNormalizationGrad'> = (operator) => {
  sameTensors(operator, 'inputTensor', 'inputGradientTensor', 'outputGradientTensor');
  inRange(operator, 'localSize', 1, 2 ** 32 - 1);
  strictly('gradient-neighbours', () => inRange(operator, 'localSize', 1, MAX_NEIGHBOURS));
};

/**
 * Both tensors have the same data type, dimension count and sizes. `axis` is a dimension of the tensors, counted from
 * 0. `p` is 1 or 2.
 */
export const lpNormalization: Rule<'lpNormalization'> = (operator) => {
  sameTensors(operator, 'inputTensor', 'outputTensor');
  axisOf(operator, operator.inputTensor);
  inRange(operator, 'p', 1, 2);
};

/**
 * All tensors have the same data type and dimension count. `outputTensor` has the sizes of `inputTensor`. Each size
 * of `scaleTensor` and `biasTensor` is that of `inputTensor`, or 1 to broadcast.
 */
function scaleAndBiasFit(operator: Drafted<MeanVariance>): void {
  sameTensors(operator, 'inputTensor', 'outputTensor');
  sameDataType(operator, 'inputTensor', ...PARAMETERS);
  sameDimensionCount(operator, 'inputTensor', ...PARAMETERS);
  broadcastsTo(operator, 'inputTensor', ...PARAMETERS);
}

/** Below feature level 4.0 the scale and the bias do not broadcast along the channels. */
function ownChannels(operator: Drafted<MeanVariance>, name: (typeof PARAMETERS)[number], featureLevel: FeatureLevel): void {
  const tensor = operator[name];
  if (tensor === null || reaches(featureLevel, '4.0')) return;
  const channels = operator.inputTensor.sizes[1];
  if (tensor.sizes[1] === channels) return;
  const expected = `feature level 4.0 for another size than ${channels}`;
  throw refuse(operator, 'ERR_FEATURE_LEVEL', `${name}.sizes[1]`, expected, featureLevel);
}
