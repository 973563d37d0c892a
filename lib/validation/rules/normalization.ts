/** Normalization by statistics of the input itself: along axes, in a neighbourhood, or by a norm. */
import { reaches } from '../../schema/feature-level.js';
import type { FeatureLevel } from '../../schema/generated/enums.js';
import { strictly } from '../strict.js';
import type { Resolved } from '../resolved.js';
import { axesFit, eachAxisOnce } from './axes.js';
import {
  axisOf,
  broadcastsTo,
  has,
  inRange,
  refuse,
  sameDataType,
  sameDimensionCount,
  sameSizes,
  type Rule,
  type WithOptionalTensors,
} from './rule.js';

type MeanVariance = 'meanVarianceNormalization' | 'meanVarianceNormalization1' | 'meanVarianceNormalization2';

const PARAMETERS = ['scaleTensor', 'biasTensor'] as const;

/**
 * All tensors have one data type and one dimension count; `outputTensor` has the sizes of `inputTensor`.
 * Each size of `scaleTensor` and `biasTensor` is 1, which broadcasts, or that of `inputTensor`.
 * Before feature level 5.2 both are given, or neither.
 */
export const meanVarianceNormalization: Rule<MeanVariance> = (operator, featureLevel) => {
  alike(operator, 'inputTensor', 'outputTensor');
  sameDataType(operator, 'inputTensor', ...PARAMETERS);
  sameDimensionCount(operator, 'inputTensor', ...PARAMETERS);
  broadcastsTo(operator, 'inputTensor', ...PARAMETERS);
  const given = PARAMETERS.filter((name) => has(operator, name));
  if (given.length === 1 && !reaches(featureLevel, '5.2')) {
    const field = given[0] === 'scaleTensor' ? 'biasTensor' : 'scaleTensor';
    const expected = `feature level 5.2 without it beside ${given[0]}`;
    throw refuse(operator, 'ERR_FEATURE_LEVEL', field, expected, featureLevel);
  }
};

/**
 * All tensors have one data type and one dimension count; `outputTensor` has the sizes of `inputTensor`.
 * Each of `axes` is a dimension of the tensors, counted from 0.
 * Each size of `scaleTensor` and `biasTensor` is 1, which broadcasts, or that of `inputTensor`. Before feature level
 * 5.2 both are given, or neither; before 4.0 they do not broadcast along the channels.
 */
export const meanVarianceNormalization1: Rule<'meanVarianceNormalization1'> = (operator, featureLevel) => {
  meanVarianceNormalization(operator, featureLevel);
  for (const name of PARAMETERS) ownChannels(operator, name, featureLevel);
  axesFit(operator, operator.axes, operator.inputTensor);
  eachAxisOnce(operator, operator.axes);
};

/**
 * All tensors have one data type and one dimension count; `outputTensor` has the sizes of `inputTensor`.
 * Each of `axes` is a dimension of the tensors, counted from 0.
 * Each size of `scaleTensor` and `biasTensor` is 1, which broadcasts, or that of `inputTensor`. Either may be missing.
 */
export const meanVarianceNormalization2: Rule<'meanVarianceNormalization2'> = (operator, featureLevel) => {
  meanVarianceNormalization(operator, featureLevel);
  axesFit(operator, operator.axes, operator.inputTensor);
  eachAxisOnce(operator, operator.axes);
};

/** All tensors have one data type and the same sizes. `localSize` is at least 1. */
export const localResponseNormalization: Rule<'localResponseNormalization'> = (operator) => {
  alike(operator, 'inputTensor', 'outputTensor');
  inRange(operator, 'localSize', 1, 2 ** 32 - 1);
};

/** Of one dimension. Networks have neighbourhoods of 5 or so. */
const MOST_NEIGHBOURS = 255;

/** All tensors have one data type and the same sizes. `localSize` is 1 to 255. */
export const localResponseNormalizationGrad: Rule<'localResponseNormalizationGrad'> = (operator) => {
  alike(operator, 'inputTensor', 'inputGradientTensor', 'outputGradientTensor');
  inRange(operator, 'localSize', 1, 2 ** 32 - 1);
  strictly('gradient-neighbours', () => inRange(operator, 'localSize', 1, MOST_NEIGHBOURS));
};

/** Both tensors have one data type and the same sizes. `axis` is a dimension of them, and `p` is 1 or 2. */
export const lpNormalization: Rule<'lpNormalization'> = (operator) => {
  alike(operator, 'inputTensor', 'outputTensor');
  axisOf(operator, operator.inputTensor);
  inRange(operator, 'p', 1, 2);
};

function alike<Name extends string>(operator: WithOptionalTensors<NoInfer<Name>>, ...names: Name[]): void {
  sameDataType(operator, ...names);
  sameDimensionCount(operator, ...names);
  sameSizes(operator, ...names);
}

function ownChannels(operator: Resolved<MeanVariance>, name: (typeof PARAMETERS)[number], featureLevel: FeatureLevel): void {
  const tensor = operator[name];
  if (tensor === null || reaches(featureLevel, '4.0')) return;
  const channels = operator.inputTensor.sizes[1];
  if (tensor.sizes[1] === channels) return;
  const expected = `feature level 4.0 for another size than ${channels}`;
  throw refuse(operator, 'ERR_FEATURE_LEVEL', `${name}.sizes[1]`, expected, featureLevel);
}
