/** Gradients of normalizations by statistics of the input itself. */
import { Composed, type Expression, type GradientRules, type NodeFields, type Operations } from '../../descriptors/gradient.js';

type Node = NodeFields<`meanVarianceNormalization${'' | '1' | '2'}`>;
type Statistics = Pick<NodeFields<'meanVarianceNormalization2'>, 'axes' | 'useMean' | 'useVariance'>;

function meanVariance(node: Node, o: Operations, { axes, useMean, useVariance }: Statistics): Composed {
  const { inputTensor: x, scaleTensor, biasTensor, epsilon } = node;
  const meanOf = (value: Expression) => o.reduce(value, { function: 'average', axes });
  const distance = useMean ? o.subtract(x, meanOf(x).broadcastTo(x.sizes)) : x;
  const inverse = () => o.recip(o.sqrt(o.add(meanOf(o.multiply(distance, distance)), epsilon))).broadcastTo(x.sizes);
  const normal = useVariance ? o.multiply(distance, inverse()) : distance;
  const scaled = scaleTensor === null ? normal : o.multiply(normal, scaleTensor.broadcastTo(x.sizes));
  return new Composed({ outputTensor: biasTensor === null ? scaled : o.add(scaled, biasTensor.broadcastTo(x.sizes)) });
}

export const gradients: GradientRules<
  `meanVarianceNormalization${'' | '1' | '2'}` | `localResponseNormalization${'' | 'Grad'}` | 'lpNormalization'
> = {
  meanVarianceNormalization: (node, _, o) => {
    const axes = node.crossChannel ? [1, 2, 3] : [2, 3];
    return meanVariance(node, o, { axes, useMean: true, useVariance: node.normalizeVariance });
  },
  meanVarianceNormalization1: (node, _, o) =>
    meanVariance(node, o, { axes: node.axes, useMean: true, useVariance: node.normalizeVariance }),
  meanVarianceNormalization2: (node, _, o) => meanVariance(node, o, node),
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
  lpNormalization: ({ inputTensor: x, axis, epsilon, p }, _, o) => {
    const norm = o.reduce(x, { function: p === 1 ? 'l1' : 'l2', axes: [axis] });
    const inverse = o.recip(o.sqrt(o.add(o.multiply(norm, norm), epsilon)));
    return new Composed({ outputTensor: o.multiply(x, inverse.broadcastTo(x.sizes)) });
  },
};
