/** Batch normalization, whose mean and variance are tensors too, and its gradients. */
import { broadcastsTo, fitsOneDispatch, sameDataType, sameDimensionCount, sameTensors } from '../../descriptors/checks.js';
import type { Rule, WithInputs, WithTensors } from '../../descriptors/rule.js';

type Gradients = 'batchNormalizationGrad' | 'batchNormalizationTrainingGrad';

/**
 * All tensors have the same data type and dimension count. `outputTensor` has the sizes of `inputTensor`. Each size
 * of `meanTensor`, `varianceTensor`, `scaleTensor` and `biasTensor` is that of `inputTensor`, or 1 to broadcast;
 * these four tensors may have different sizes. `spatial` has no effect.
 */
export const batchNormalization: Rule<'batchNormalization'> = (operator) => {
  const parameters = ['meanTensor', 'varianceTensor', 'scaleTensor', 'biasTensor'] as const;
  sameTensors(operator, 'inputTensor', 'outputTensor');
  sameDataType(operator, 'inputTensor', ...parameters);
  sameDimensionCount(operator, 'inputTensor', ...parameters);
  broadcastsTo(operator, 'inputTensor', ...parameters);
};

/**
 * All tensors have the same data type and dimension count. `fusedAddTensor` and `outputTensor` have the sizes of
 * `inputTensor`. `scaleTensor`, `biasTensor`, `outputMeanTensor` and `outputVarianceTensor` have the same sizes, each
 * of which is 1 or that of `inputTensor`; mean and variance are computed along the dimensions where it is 1. They have
 * at most 16,776,960 elements.
 */
export const batchNormalizationTraining: Rule<'batchNormalizationTraining'> = (operator) => {
  sameTensors(operator, 'inputTensor', 'fusedAddTensor', 'outputTensor');
  statistics(operator, 'scaleTensor', 'biasTensor', 'outputMeanTensor', 'outputVarianceTensor');
  fitsOneDispatch(operator, 'scaleTensor');
};

/**
 * All tensors have the same data type and dimension count. `inputTensor`, `inputGradientTensor` and
 * `outputGradientTensor` have the same sizes. `meanTensor`, `varianceTensor`, `scaleTensor`,
 * `outputScaleGradientTensor` and `outputBiasGradientTensor` have the same sizes, each of which is 1 or that of
 * `inputTensor`; the operator reduces along the dimensions where it is 1. They have at most 16,776,960 elements.
 */
export const batchNormalizationGrad: Rule<Gradients> = (operator) => {
  sameTensors(operator, 'inputTensor', 'inputGradientTensor', 'outputGradientTensor');
  const gradients = ['outputScaleGradientTensor', 'outputBiasGradientTensor'] as const;
  statistics(operator, 'meanTensor', 'varianceTensor', 'scaleTensor', ...gradients);
  fitsOneDispatch(operator, 'scaleTensor');
};

export const batchNormalizationTrainingGrad = batchNormalizationGrad;

/** The named tensors have the same sizes, and broadcast to `inputTensor`. */
function statistics<Name extends string>(
  operator: WithInputs<'inputTensor'> & WithTensors<NoInfer<Name>>,
  ...names: Name[]
): void {
  sameTensors(operator, ...names);
  sameDataType<'inputTensor' | Name>(operator, 'inputTensor', ...names);
  sameDimensionCount<'inputTensor' | Name>(operator, 'inputTensor', ...names);
  broadcastsTo(operator, 'inputTensor', ...names);
}
