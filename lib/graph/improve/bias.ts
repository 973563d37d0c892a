/** What is added to a product of matrices, or to the channels of a convolution. */
import { stridesOf } from '../../tensors/tensor-size.js';
import type { GraphNode } from '../resolved-graph.js';
import type { Draft, Edge } from './draft.js';
import type { Rule } from './rule.js';

export const bias: Rule = {
  ends: ['elementWiseAdd'],
  apply: (node, draft) => draft.inAnyOrder(node, (sum, addend) => added(draft, node, sum, addend)),
};

function added(draft: Draft, node: GraphNode, sum: Edge | null, addend: Edge | null): GraphNode | null {
  const found = draft.before(sum, ['gemm', 'convolution']);
  if (found === null || addend === null || node.operator.descriptor.type !== 'elementWiseAdd') return null;
  const { fields } = found;
  if (fields.fusedActivation !== null || fields.outputTensor.dataType !== 'float32') return null;
  const { outputTensor } = node.operator.descriptor;
  const before = { ...draft.fieldsOf(found.node), outputTensor };
  if (fields.type === 'gemm') {
    return fields.cTensor === null ? draft.node(node.name, { ...before, cTensor: addend, beta: 1 }) : null;
  }
  const biasTensor = fields.biasTensor === null ? channels(addend) : null;
  return biasTensor && draft.node(node.name, { ...before, biasTensor });
}

/** The edge with one element for each channel; null if it has others. */
function channels({ source, tensor }: Edge): Edge | null {
  const strides = stridesOf(tensor);
  if (!tensor.sizes.every((size, axis) => size === 1 || strides[axis] === (axis === 1 ? 1 : 0))) return null;
  const sizes = tensor.sizes.map((size, axis) => (axis === 1 ? size : 1));
  return { source, tensor: { ...tensor, sizes, strides: null } };
}
