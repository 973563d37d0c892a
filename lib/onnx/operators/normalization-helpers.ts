/** Normalization along axes. */
import { productOf } from '../../validation/tensor-size.js';
import { like, type Node } from '../node.js';
import { withRank, type Operand } from '../operand.js';
import { castOptional, constant, reduced } from './tensor-helpers.js';

export interface Normalization {
  readonly axes: readonly number[];
  readonly epsilon: number;
  /** Factors and addends of the normalized elements, which broadcast. */
  readonly scale?: Operand | undefined;
  readonly bias?: Operand | undefined;
  /** False for the root of the mean square alone. */
  readonly useMean?: boolean;
}

/** DirectML limits means and variances of 16-bit floats to the range of these. */
export function normalized(node: Node, input: Operand, how: Normalization): Operand {
  if (node.widensSumsOf(input)) {
    const [scale, bias] = [castOptional(node, how.scale, 'float32'), castOptional(node, how.bias, 'float32')];
    return node.cast(normalized(node, node.cast(input, 'float32'), { ...how, scale, bias }), 'float16');
  }
  const { axes, epsilon, scale, bias, useMean = true } = how;
  const rank = input.dims.length;
  if (useMean && productOf(axes.map((axis) => input.dims[axis] ?? 1)) === 1) return ofSingles(node, input, how);
  return node.add('meanVarianceNormalization2', {
    inputTensor: input,
    scaleTensor: scale && withRank(scale, rank),
    biasTensor: bias && withRank(bias, rank),
    outputTensor: like(input),
    axes,
    useMean,
    useVariance: true,
    epsilon,
  });
}

/** Each element is its own mean. DirectML would take it for the variance too. */
function ofSingles(node: Node, input: Operand, { scale, bias }: Normalization): Operand {
  const none = node.arithmetic('elementWiseSubtract', input, input);
  const scaled = scale === undefined ? none : node.arithmetic('elementWiseMultiply', none, scale);
  return bias === undefined ? scaled : node.arithmetic('elementWiseAdd', scaled, bias);
}

/** The mean along axes, and one divided by the root of the variance, as 32-bit floats. */
export function statistics(node: Node, given: Operand, axes: readonly number[], epsilon: number, useMean = true) {
  const input = node.cast(given, 'float32');
  const mean = useMean ? reduced(node, 'average', input, axes) : constant('float32', [], 0);
  const distance = useMean ? node.arithmetic('elementWiseSubtract', input, mean) : input;
  const variance = reduced(node, 'average', node.arithmetic('elementWiseMultiply', distance, distance), axes);
  const deviation = node.map('elementWiseSqrt', variance, { scaleBias: { scale: 1, bias: epsilon } });
  return { mean, inverse: node.map('elementWiseRecip', deviation) };
}
