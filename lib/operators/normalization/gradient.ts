/** Gradients of normalizations by statistics of the input itself. */
import { sumTo, type Expression, type GradientRules, type InputGradients, type Operations } from '../../descriptors/gradient.js';

interface Node {
  readonly inputTensor: Expression;
  readonly scaleTensor: Expression | null;
  readonly biasTensor: Expression | null;
  readonly epsilon: number;
}

interface Statistics {
  readonly axes: readonly number[];
  readonly useMean: boolean;
  readonly useVariance: boolean;
}

function meanVariance(node: Node, g: Expression, o: Operations, { axes, useMean, useVariance }: Statistics): InputGradients {
  const { inputTensor: x, scaleTensor, biasTensor, epsilon } = node;
  const { sizes } = x;
  const meanOf = (value: Expression) => o.reduce(value, { function: 'average', axes }).broadcastTo(sizes);
  const distance = useMean ? o.subtract(x, meanOf(x)) : x;
  const inverse = useVariance ? o.recip(o.sqrt(o.add(meanOf(o.multiply(distance, distance)), epsilon))) : undefined;
  const normal = inverse === undefined ? distance : o.multiply(distance, inverse);
  return {
    inputTensor: () => {
      const scaled = scaleTensor === null ? g : o.multiply(g, scaleTensor.broadcastTo(sizes));
      const centered = useMean ? o.subtract(scaled, meanOf(scaled)) : scaled;
      if (inverse === undefined) return centered;
      return o.multiply(o.subtract(centered, o.multiply(normal, meanOf(o.multiply(scaled, normal)))), inverse);
    },
    scaleTensor: () => sumTo(scaleTensor?.sizes ?? [], o.multiply(g, normal), o),
    biasTensor: () => sumTo(biasTensor?.sizes ?? [], g, o),
  };
}

export const gradients: GradientRules<
  `meanVarianceNormalization${'' | '1' | '2'}` | `localResponseNormalization${'' | 'Grad'}` | 'lpNormalization'
> = {
  meanVarianceNormalization: (node, g, o) => {
    const axes = node.crossChannel ? [1, 2, 3] : [2, 3];
    return meanVariance(node, g, o, { axes, useMean: true, useVariance: node.normalizeVariance });
  },
  meanVarianceNormalization1: (node, g, o) =>
    meanVariance(node, g, o, { axes: node.axes, useMean: true, useVariance: node.normalizeVariance }),
  meanVarianceNormalization2: (node, g, o) => meanVariance(node, g, o, node),
  localResponseNormalization: ({ inputTensor, crossChannel, localSize, alpha, beta, bias }, g, o) => {
    const sizes = crossChannel ? inputTensor.sizes.slice(1, 2) : inputTensor.sizes.slice(2);
    if (localSize % 2 === 0 || localSize > Math.min(...sizes)) {
      return 'DirectML computes its gradient wrongly for an even localSize, and for one beyond the sizes of the tensor';
    }
    const fields = { crossChannel, localSize, alpha, beta, bias };
    return { inputTensor: () => o.localResponseNormalizationGrad(inputTensor, g, fields) };
  },
  localResponseNormalizationGrad: 'it is a gradient, whose own gradient DirectML does not have',
  // y = x / d, where d = √(norm² + epsilon).
  lpNormalization: ({ inputTensor: x, outputTensor: y, axis, epsilon, p }, g, o) => ({
    inputTensor: () => {
      const norm = o.reduce(x, { function: p === 1 ? 'l1' : 'l2', axes: [axis] });
      const inverse = o.recip(o.sqrt(o.add(o.multiply(norm, norm), epsilon))).broadcastTo(x.sizes);
      const ofSquare = p === 1 ? o.multiply(o.sign(x), norm.broadcastTo(x.sizes)) : x;
      const total = o.reduce(o.multiply(g, y), { function: 'sum', axes: [axis] }).broadcastTo(x.sizes);
      return o.multiply(inverse, o.subtract(g, o.multiply(total, o.multiply(ofSquare, inverse))));
    },
  }),
};
