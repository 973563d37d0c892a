/** Gradients of batch normalization, which is computed again by operators that have gradients. */
import { Composed, type Expression, type GradientRules, type NodeFields, type Operations } from '../../descriptors/gradient.js';

const second = 'it is a gradient, whose own gradient DirectML does not have';

type Scaling = Pick<NodeFields<'batchNormalization'>, 'scaleTensor' | 'biasTensor' | 'epsilon'>;

function normalized(distance: Expression, variance: Expression, { scaleTensor, biasTensor, epsilon }: Scaling, o: Operations) {
  const factor = o.multiply(scaleTensor, o.recip(o.sqrt(o.add(variance, epsilon))));
  return o.add(o.multiply(distance, factor.broadcastTo(distance.sizes)), biasTensor.broadcastTo(distance.sizes));
}

export const gradients: GradientRules<
  'batchNormalization' | 'batchNormalizationGrad' | 'batchNormalizationTraining' | 'batchNormalizationTrainingGrad'
> = {
  batchNormalization: (node, _, o) => {
    const { inputTensor: x, meanTensor, varianceTensor } = node;
    const distance = o.subtract(x, meanTensor.broadcastTo(x.sizes));
    return new Composed({ outputTensor: normalized(distance, varianceTensor, node, o) });
  },
  batchNormalizationGrad: second,
  batchNormalizationTraining: (node, _, o) => {
    const { inputTensor: x, outputMeanTensor, fusedAddTensor } = node;
    const axes = [...x.sizes.keys()].filter((axis) => outputMeanTensor.sizes[axis] === 1);
    const meanOf = (value: Expression) => o.reduce(value, { function: 'average', axes });
    const mean = meanOf(x);
    const distance = o.subtract(x, mean.broadcastTo(x.sizes));
    const variance = meanOf(o.multiply(distance, distance));
    const made = normalized(distance, variance, node, o);
    const outputTensor = fusedAddTensor === null ? made : o.add(made, fusedAddTensor);
    return new Composed({ outputTensor, outputMeanTensor: mean, outputVarianceTensor: variance });
  },
  batchNormalizationTrainingGrad: second,
};
