/** Gradients of batch normalization. They are composed, so that they have gradients, too. */
import { sumTo, type GradientRules } from '../../descriptors/gradient.js';
import { productOf } from '../../tensors/tensor-size.js';

const second = 'it is a gradient, whose own gradient DirectML does not have';

export const gradients: GradientRules<
  'batchNormalization' | 'batchNormalizationGrad' | 'batchNormalizationTraining' | 'batchNormalizationTrainingGrad'
> = {
  batchNormalization: ({ inputTensor: x, meanTensor, varianceTensor, scaleTensor, epsilon, biasTensor }, g, o) => {
    const { sizes } = x;
    const inverse = () => o.recip(o.sqrt(o.add(varianceTensor, epsilon)));
    const factor = () => o.multiply(inverse(), scaleTensor);
    const distance = () => o.subtract(x, meanTensor.broadcastTo(sizes));
    return {
      inputTensor: () => o.multiply(g, factor().broadcastTo(sizes)),
      meanTensor: () => o.negate(sumTo(meanTensor.sizes, o.multiply(g, factor().broadcastTo(sizes)), o)),
      varianceTensor: () => {
        const cube = o.multiply(o.multiply(factor(), o.multiply(inverse(), inverse())), -0.5);
        return sumTo(varianceTensor.sizes, o.multiply(o.multiply(g, distance()), cube.broadcastTo(sizes)), o);
      },
      scaleTensor: () => sumTo(scaleTensor.sizes, o.multiply(o.multiply(g, distance()), inverse().broadcastTo(sizes)), o),
      biasTensor: () => sumTo(biasTensor.sizes, g, o),
    };
  },
  batchNormalizationGrad: second,
  batchNormalizationTraining: (node, first, o, gradientOf) => {
    const { inputTensor: x, outputMeanTensor: mean, outputVarianceTensor: variance, scaleTensor, epsilon, biasTensor } = node;
    const { sizes } = x;
    const g = gradientOf('outputTensor') ?? o.zeros(x);
    const [ofMean, ofVariance] = [gradientOf('outputMeanTensor'), gradientOf('outputVarianceTensor')];
    const count = productOf(sizes) / productOf(mean.sizes);
    const inverse = () => o.recip(o.sqrt(o.add(variance, epsilon)));
    const distance = () => o.subtract(x, mean.broadcastTo(sizes));
    const normal = () => o.multiply(distance(), inverse().broadcastTo(sizes));
    const meanOf = (value: typeof first) => o.multiply(sumTo(mean.sizes, value, o), 1 / count).broadcastTo(sizes);
    return {
      inputTensor: () => {
        const y = normal();
        const rest = o.subtract(o.subtract(g, meanOf(g)), o.multiply(y, meanOf(o.multiply(g, y))));
        let sum = o.multiply(rest, o.multiply(scaleTensor, inverse()).broadcastTo(sizes));
        if (ofMean !== undefined) sum = o.add(sum, o.multiply(ofMean, 1 / count).broadcastTo(sizes));
        if (ofVariance === undefined) return sum;
        return o.add(sum, o.multiply(o.multiply(ofVariance, 2 / count).broadcastTo(sizes), distance()));
      },
      scaleTensor: () => sumTo(scaleTensor.sizes, o.multiply(g, normal()), o),
      biasTensor: () => sumTo(biasTensor.sizes, g, o),
      fusedAddTensor: () => g,
    };
  },
  batchNormalizationTrainingGrad: second,
};
