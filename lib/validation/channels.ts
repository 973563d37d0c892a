/**
 * Vectors with one element per channel. DirectML wants the sizes [1, C, 1, …], with as many dimensions as the tensor has; other
 * frameworks give [C].
 */
import { list } from '../errors.js';
import type { OperatorType } from '../schema/generated/descriptors.js';

interface PerChannel {
  readonly fields: readonly string[];
  /** Whether the operator requires the sizes of the whole tensor, so that strides of 0 must repeat the vector. */
  readonly isRepeated?: boolean;
  /** Whether the channels are those of the output, which may not be known yet. */
  readonly isOfOutput?: boolean;
}

const scaleAndBias = ['scaleTensor', 'biasTensor'];
const scaleAndZeroPoint = ['scaleTensor', 'zeroPointTensor'];
const statistics = ['meanTensor', 'varianceTensor', ...scaleAndBias];
const filterParameters = ['filterScaleTensor', 'filterZeroPointTensor'];

const perChannel: Readonly<Partial<Record<OperatorType, PerChannel>>> = {
  activationParameterizedRelu: { fields: ['slopeTensor'], isRepeated: true },
  batchNormalization: { fields: statistics },
  batchNormalizationGrad: { fields: statistics },
  batchNormalizationTraining: { fields: statistics },
  batchNormalizationTrainingGrad: { fields: statistics },
  convolution: { fields: ['biasTensor'], isOfOutput: true },
  convolutionInteger: { fields: filterParameters, isOfOutput: true },
  elementWiseDequantizeLinear: { fields: scaleAndZeroPoint, isRepeated: true },
  elementWiseQuantizeLinear: { fields: scaleAndZeroPoint, isRepeated: true },
  meanVarianceNormalization: { fields: scaleAndBias },
  meanVarianceNormalization1: { fields: scaleAndBias },
  meanVarianceNormalization2: { fields: scaleAndBias },
  quantizedLinearConvolution: { fields: [...filterParameters, 'biasTensor'], isOfOutput: true },
};

/**
 * The call that turns a vector in a field of an operator into a tensor with one element per channel; undefined if it is none.
 *
 * @param whole The sizes of the tensor that has the channels, or that has them before the operator changes their number.
 */
export function channelHint(
  type: OperatorType,
  field: string,
  sizes: readonly number[],
  whole: readonly number[] | undefined,
): string | undefined {
  const known = perChannel[type];
  const [length = 0, ...others] = sizes;
  if (known === undefined || whole === undefined || !known.fields.includes(field)) return undefined;
  if (others.length > 0 || whole.length < 2 || (known.isOfOutput !== true && length !== whole[1])) return undefined;
  const own = whole.map((_, axis) => (axis === 1 ? length : 1));
  const repeated = known.isRepeated === true ? `.broadcastTo(${list(whole)})` : '';
  return `${field}.reshape(${list(own)})${repeated} would fit: one per channel`;
}
