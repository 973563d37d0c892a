/** Normalization by a mean and a variance that are tensors too, and its gradients. */
import {
  broadcastsTo,
  isTensor,
  sameDataType,
  sameDimensionCount,
  sameSizes,
  type ResolvedOperator,
  type Rule,
} from './rule.js';

/**
 * All tensors have one data type and one dimension count; `outputTensor` has the sizes of `inputTensor`.
 * Each size of `meanTensor`, `varianceTensor`, `scaleTensor` and `biasTensor` is 1, which broadcasts, or that of
 * `inputTensor`. They need not be alike, and `spatial` changes nothing.
 */
export const batchNormalization: Rule = (operator) => {
  const parameters = ['meanTensor', 'varianceTensor', 'scaleTensor', 'biasTensor'];
  alike(operator, ['inputTensor', 'outputTensor']);
  sameDataType(operator, 'inputTensor', ...parameters);
  sameDimensionCount(operator, 'inputTensor', ...parameters);
  broadcastsTo(operator, 'inputTensor', ...parameters);
};

/**
 * All tensors have one data type and one dimension count.
 * `fusedAddTensor` and `outputTensor` have the sizes of `inputTensor`.
 * `scaleTensor`, `biasTensor`, `outputMeanTensor` and `outputVarianceTensor` have the same sizes, each of which is 1 or
 * that of `inputTensor`. Mean and variance are taken along the dimensions where it is 1.
 */
export const batchNormalizationTraining: Rule = (operator) => {
  const added = isTensor(operator.fields['fusedAddTensor']) ? ['fusedAddTensor'] : [];
  const statistics = ['scaleTensor', 'biasTensor', 'outputMeanTensor', 'outputVarianceTensor'];
  elementsAndStatistics(operator, ['inputTensor', ...added, 'outputTensor'], statistics);
};

/**
 * All tensors have one data type and one dimension count.
 * `inputTensor`, `inputGradientTensor` and `outputGradientTensor` have the same sizes.
 * `meanTensor`, `varianceTensor`, `scaleTensor`, `outputScaleGradientTensor` and `outputBiasGradientTensor` have the
 * same sizes, each of which is 1 or that of `inputTensor`. Gradients are summed along the dimensions where it is 1.
 */
export const batchNormalizationGrad: Rule = (operator) => {
  const gradients = ['outputScaleGradientTensor', 'outputBiasGradientTensor'];
  const statistics = ['meanTensor', 'varianceTensor', 'scaleTensor', ...gradients];
  elementsAndStatistics(operator, ['inputTensor', 'inputGradientTensor', 'outputGradientTensor'], statistics);
};

/**
 * All tensors have one data type and one dimension count.
 * `inputTensor`, `inputGradientTensor` and `outputGradientTensor` have the same sizes.
 * `meanTensor`, `varianceTensor`, `scaleTensor`, `outputScaleGradientTensor` and `outputBiasGradientTensor` have the
 * same sizes, each of which is 1 or that of `inputTensor`. Means and sums are taken along the dimensions where it is 1.
 */
export const batchNormalizationTrainingGrad: Rule = (operator, featureLevel) => {
  batchNormalizationGrad(operator, featureLevel);
};

/** Tensors of the sizes of the first, and those that may be shorter. */
function elementsAndStatistics(operator: ResolvedOperator, whole: readonly string[], statistics: readonly string[]): void {
  alike(operator, whole);
  alike(operator, statistics);
  const [input = ''] = whole;
  sameDataType(operator, input, ...statistics);
  sameDimensionCount(operator, input, ...statistics);
  broadcastsTo(operator, input, ...statistics);
}

function alike(operator: ResolvedOperator, [first = '', ...others]: readonly string[]): void {
  sameDataType(operator, first, ...others);
  sameDimensionCount(operator, first, ...others);
  sameSizes(operator, first, ...others);
}
