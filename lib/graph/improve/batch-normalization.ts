/** Batch normalization by constants after a convolution with constant filters: other filters and another bias compute both. */
import { isPacked, productOf, stridesOf } from '../../tensors/tensor-size.js';
import type { Draft, Edge } from './draft.js';
import type { Rule } from './rule.js';

export const batchNormalization: Rule = {
  ends: ['batchNormalization'],
  apply: (node, draft) => {
    const { descriptor } = node.operator;
    if (descriptor.type !== 'batchNormalization') return null;
    const found = draft.before(draft.edge(node, 'inputTensor'), ['convolution']);
    if (found?.fields.fusedActivation !== null || found.fields.direction !== 'forward') return null;
    const filter = draft.edge(found.node, 'filterTensor');
    const weights = filter && isPacked(filter.tensor) ? draft.floats(filter) : null;
    const [count = 1] = found.fields.filterTensor.sizes;
    const channels = (edge: Edge | null) => channelsOf(draft, edge, count);
    const [mean, variance] = [channels(draft.edge(node, 'meanTensor')), channels(draft.edge(node, 'varianceTensor'))];
    const [scale, bias] = [channels(draft.edge(node, 'scaleTensor')), channels(draft.edge(node, 'biasTensor'))];
    const before = found.fields.biasTensor ? channels(draft.edge(found.node, 'biasTensor')) : new Float32Array(count);
    if (filter === null || !weights || !mean || !variance || !scale || !bias || !before) return null;
    const folded = foldedChannels({ scale, bias, mean, variance, before, epsilon: descriptor.epsilon });
    if (folded === null) return null;
    const scaled = scaledRows(weights, folded.factors);
    if (!scaled.every(Number.isFinite)) return null;
    const { outputTensor, fusedActivation } = descriptor;
    const perChannel = outputTensor.sizes.map((_, axis) => (axis === 1 ? count : 1));
    return draft.variant(node.name, found.node, {
      outputTensor,
      fusedActivation,
      filterTensor: draft.constant(`${node.name}.filterTensor`, filter.tensor.sizes, scaled),
      biasTensor: draft.constant(`${node.name}.biasTensor`, perChannel, folded.addends),
    });
  },
};

/** The number of each channel; null if they are not constant or not the same for all elements. */
function channelsOf(draft: Draft, edge: Edge | null, count: number): Float32Array | null {
  const numbers = edge && draft.floats(edge);
  if (!numbers) return null;
  const { sizes } = edge.tensor;
  const [size = 1, stride = 0] = [sizes[1], stridesOf(edge.tensor)[1]];
  if (productOf(sizes) !== size || (size !== count && size !== 1)) return null;
  return Float32Array.from({ length: count }, (_, i) => numbers[size === 1 ? 0 : i * stride] ?? NaN);
}

/** The parameters of a batch normalization, and the bias before it: a number for each channel. */
export interface Channels {
  readonly scale: Float32Array;
  readonly bias: Float32Array;
  readonly mean: Float32Array;
  readonly variance: Float32Array;
  readonly before: Float32Array;
  readonly epsilon: number;
}

/** What the filters of each channel are multiplied by, and the new bias; null if they are not finite or of other numbers. */
export function foldedChannels({ scale, bias, mean, variance, before, epsilon }: Channels) {
  const factors = Float64Array.from(scale, (factor, i) => factor / Math.sqrt((variance[i] ?? NaN) + epsilon));
  const addends = bias.map((addend, i) => ((before[i] ?? NaN) - (mean[i] ?? NaN)) * (factors[i] ?? NaN) + addend);
  return factors.length === addends.length && factors.every(Number.isFinite) && addends.every(Number.isFinite)
    ? { factors, addends }
    : null;
}

/** The elements times the factor of their place along the first dimension. */
export function scaledRows(elements: Float32Array, factors: Float64Array): Float32Array<ArrayBuffer> {
  const size = elements.length / factors.length;
  return Float32Array.from(elements, (element, i) => element * (factors[Math.floor(i / size)] ?? NaN));
}
