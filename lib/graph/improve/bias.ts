/** What a product of matrices is multiplied by, and what is added to it, or to the channels of a convolution. */
import type { ResolvedTensor } from '../../descriptors/resolved.js';
import { isPacked, productOf, sameStrides, stridesOf } from '../../tensors/tensor-size.js';
import type { GraphNode } from '../resolved-graph.js';
import { stepOf } from './affine.js';
import { stridesIn } from './copies.js';
import type { Draft, Edge, Found } from './draft.js';
import type { Rule } from './rule.js';

export const bias: Rule = {
  ends: ['elementWiseAdd'],
  apply: (node, draft) => draft.inAnyOrder(node, (sum, addend) => added(draft, node, sum, addend)),
};

/** A factor of a product: `alpha`. */
export const scaledProduct: Rule = {
  ends: ['elementWiseMultiply', 'elementWiseDivide'],
  apply: (node, draft) => {
    const scaled = stepOf(draft, node);
    const found = scaled && (draft.before(scaled.edge, ['gemm']) ?? reshaped(draft, scaled.edge));
    const { descriptor } = node.operator;
    if (!found || scaled.bias !== 0 || !('outputTensor' in descriptor)) return null;
    const { cTensor, fusedActivation, alpha } = found.fields;
    const outputTensor = outputOf(found.fields.outputTensor, descriptor.outputTensor);
    if (cTensor !== null || fusedActivation !== null || outputTensor === null) return null;
    return draft.variant(node.name, found.node, { outputTensor, alpha: alpha * scaled.scale });
  },
};

function added(draft: Draft, node: GraphNode, sum: Edge | null, addend: Edge | null): GraphNode | null {
  if (sum === null || addend === null || node.operator.descriptor.type !== 'elementWiseAdd') return null;
  const found = draft.before(sum, ['gemm', 'convolution']) ?? reshaped(draft, sum);
  if (found === null) return null;
  const { fields } = found;
  if (fields.fusedActivation !== null || fields.outputTensor.dataType !== 'float32') return null;
  const { outputTensor } = node.operator.descriptor;
  if (fields.type === 'gemm') {
    const written = outputOf(fields.outputTensor, outputTensor);
    if (fields.cTensor !== null || written === null) return null;
    const cTensor = written === outputTensor ? addend : withSizes(addend, written);
    return cTensor && draft.variant(node.name, found.node, { outputTensor: written, cTensor, beta: 1 });
  }
  const biasTensor = fields.biasTensor === null && !hasOutputPadding(fields) ? channels(addend) : null;
  return biasTensor && draft.variant(node.name, found.node, { outputTensor, biasTensor });
}

/** What a product writes in place of a tensor with other sizes; null if that has its elements in another order. */
function outputOf(own: ResolvedTensor, tensor: ResolvedTensor): ResolvedTensor | null {
  if (own.sizes.join() === tensor.sizes.join()) return tensor;
  return isPacked(tensor) ? own : null;
}

/** The elements of the edge with the sizes of a packed tensor; null if they are not evenly spaced then. */
function withSizes({ source, tensor }: Edge, packed: ResolvedTensor): Edge | null {
  const { sizes } = packed;
  const strides = stridesIn(tensor, { ...tensor, strides: null }, packed);
  return strides && { source, tensor: { ...tensor, sizes, strides: sameStrides(sizes, strides, null) ? null : strides } };
}

/** True if DirectML adds zeros to the output, to which it neither adds a bias nor applies an activation. */
export function hasOutputPadding(fields: object): boolean {
  return 'outputPadding' in fields && Array.isArray(fields.outputPadding) && fields.outputPadding.some((count) => count !== 0);
}

/** A product that is read with other sizes: models often have one more dimension, for the batch. */
function reshaped(draft: Draft, edge: Edge): Found<'gemm'> | null {
  const node = draft.isReadOnce(edge) ? draft.writer(edge) : null;
  const fields = node?.operator.descriptor;
  if (node === null || fields?.type !== 'gemm') return null;
  const { outputTensor } = fields;
  const isWhole = productOf(edge.tensor.sizes) === productOf(outputTensor.sizes);
  return isWhole && isPacked(edge.tensor) && isPacked(outputTensor) ? { node, fields } : null;
}

/** The edge with one element for each channel; null if it has others. */
function channels({ source, tensor }: Edge): Edge | null {
  const strides = stridesOf(tensor);
  if (!tensor.sizes.every((size, axis) => size === 1 || strides[axis] === (axis === 1 ? 1 : 0))) return null;
  const sizes = tensor.sizes.map((size, axis) => (axis === 1 ? size : 1));
  return { source, tensor: { ...tensor, sizes, strides: null } };
}
