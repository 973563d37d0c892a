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
    const factors = Array.from(scale, (factor, i) => factor / Math.sqrt((variance[i] ?? NaN) + descriptor.epsilon));
    const addends = bias.map((addend, i) => ((before[i] ?? 0) - (mean[i] ?? 0)) * (factors[i] ?? 0) + addend);
    const size = productOf(filter.tensor.sizes, 1);
    const scaled = weights.map((weight, i) => weight * (factors[Math.floor(i / size)] ?? 0));
    if (![...factors, ...addends].every(Number.isFinite) || !scaled.every(Number.isFinite)) return null;
    const { outputTensor, fusedActivation } = descriptor;
    const perChannel = outputTensor.sizes.map((_, axis) => (axis === 1 ? count : 1));
    return draft.node(node.name, {
      ...{ ...draft.fieldsOf(found.node), outputTensor, fusedActivation },
      filterTensor: draft.constant(`${node.name}.filterTensor`, filter.tensor.sizes, scaled),
      biasTensor: draft.constant(`${node.name}.biasTensor`, perChannel, addends),
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
