/** A transposed matrix before a product: `gemm` transposes it by a flag. */
import { isPacked, stridesOf } from '../../tensors/tensor-size.js';
import type { GraphNode } from '../resolved-graph.js';
import { originOf } from './copies.js';
import type { Draft, Edge } from './draft.js';
import type { Rule } from './rule.js';

export const transposes: Rule = {
  ends: ['gemm'],
  apply: (node, draft) => flagged(node, draft, 'aTensor', 'transA') ?? flagged(node, draft, 'bTensor', 'transB'),
};

function flagged(node: GraphNode, draft: Draft, field: 'aTensor' | 'bTensor', flag: 'transA' | 'transB'): GraphNode | null {
  const { descriptor } = node.operator;
  const edge = draft.edge(node, field);
  if (descriptor.type !== 'gemm' || edge === null || roundsByLayout(descriptor)) return null;
  const copied = draft.isReadOnce(edge) ? originOf(draft, edge) : null;
  const matrix = turned(edge) ?? (copied && turned(copied));
  const transform = descriptor[flag] === 'none' ? 'transpose' : 'none';
  return matrix && draft.variant(node.name, node, { [field]: matrix, [flag]: transform });
}

/** True if strides and flags may change when DirectML rounds: docs/differences.md. */
function roundsByLayout({ cTensor, outputTensor, fusedActivation }: Gemm): boolean {
  return fusedActivation !== null || (cTensor !== null && outputTensor.dataType === 'float16');
}

type Gemm = Extract<GraphNode['operator']['descriptor'], { readonly type: 'gemm' }>;

/** The matrices with rows and columns exchanged, if they lie column by column and are packed otherwise. */
function turned({ source, tensor }: Edge): Edge | null {
  if (isPacked(tensor)) return null;
  const exchanged = (list: readonly number[]) => [...list.slice(0, -2), ...list.slice(-2).reverse()];
  const [sizes, strides] = [exchanged(tensor.sizes), exchanged(stridesOf(tensor))];
  return isPacked({ sizes, strides }) ? { source, tensor: { ...tensor, sizes, strides: null } } : null;
}
