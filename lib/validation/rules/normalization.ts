/** Normalization by statistics of the input itself: along axes, in a neighbourhood, or by a norm. */
import { reaches } from '../../feature-level.js';
import type { FeatureLevel } from '../../schema/generated/enums.js';
import { strictly } from '../strict.js';
import { axesOf, eachAxisOnce } from './axes.js';
import {
  broadcastsTo,
  inRange,
  isTensor,
  refuse,
  sameDataType,
  sameDimensionCount,
  sameSizes,
  tensorField,
  type ResolvedOperator,
  type Rule,
} from './rule.js';

/**
 * All tensors have one data type and one dimension count; `outputTensor` has the sizes of `inputTensor`.
 * Each size of `scaleTensor` and `biasTensor` is 1, which broadcasts, or that of `inputTensor`.
 * Before feature level 5.2 both are given, or neither.
 */
export const meanVarianceNormalization: Rule = (operator, featureLevel) => {
  alike(operator, 'inputTensor', 'outputTensor');
  const given = ['scaleTensor', 'biasTensor'].filter((name) => isTensor(operator.fields[name]));
  sameDataType(operator, 'inputTensor', ...given);
  sameDimensionCount(operator, 'inputTensor', ...given);
  broadcastsTo(operator, 'inputTensor', ...given);
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
export const meanVarianceNormalization1: Rule = (operator, featureLevel) => {
  meanVarianceNormalization(operator, featureLevel);
  for (const name of ['scaleTensor', 'biasTensor']) ownChannels(operator, name, featureLevel);
  eachAxisOnce(operator, axesOf(operator, 'inputTensor'));
};

/**
 * All tensors have one data type and one dimension count; `outputTensor` has the sizes of `inputTensor`.
 * Each of `axes` is a dimension of the tensors, counted from 0.
 * Each size of `scaleTensor` and `biasTensor` is 1, which broadcasts, or that of `inputTensor`. Either may be missing.
 */
export const meanVarianceNormalization2: Rule = (operator, featureLevel) => {
  meanVarianceNormalization(operator, featureLevel);
  eachAxisOnce(operator, axesOf(operator, 'inputTensor'));
};

/** All tensors have one data type and the same sizes. `localSize` is at least 1. */
export const localResponseNormalization: Rule = (operator) => {
  alike(operator, 'inputTensor', 'outputTensor');
  inRange(operator, 'localSize', 1, 2 ** 32 - 1);
};

/** Of one dimension. Networks have neighbourhoods of 5 or so. */
const MOST_NEIGHBOURS = 255;

/** All tensors have one data type and the same sizes. `localSize` is 1 to 255. */
export const localResponseNormalizationGrad: Rule = (operator) => {
  alike(operator, 'inputTensor', 'inputGradientTensor', 'outputGradientTensor');
  inRange(operator, 'localSize', 1, 2 ** 32 - 1);
  strictly('gradient-neighbours', () => inRange(operator, 'localSize', 1, MOST_NEIGHBOURS));
};

/** Both tensors have one data type and the same sizes. `axis` is a dimension of them, and `p` is 1 or 2. */
export const lpNormalization: Rule = (operator) => {
  alike(operator, 'inputTensor', 'outputTensor');
  inRange(operator, 'axis', 0, tensorField(operator, 'inputTensor').sizes.length - 1);
  inRange(operator, 'p', 1, 2);
};

function alike(operator: ResolvedOperator, first: string, ...others: string[]): void {
  sameDataType(operator, first, ...others);
  sameDimensionCount(operator, first, ...others);
  sameSizes(operator, first, ...others);
}

function ownChannels(operator: ResolvedOperator, name: string, featureLevel: FeatureLevel): void {
  const tensor = operator.fields[name];
  if (!isTensor(tensor) || reaches(featureLevel, '4.0')) return;
  const channels = tensorField(operator, 'inputTensor').sizes[1];
  if (tensor.sizes[1] === channels) return;
  const expected = `feature level 4.0 for another size than ${channels}`;
  throw refuse(operator, 'ERR_FEATURE_LEVEL', `${name}.sizes[1]`, expected, featureLevel);
}
