/** Factors and addends of all elements, before a function of each element: `scaleBias`. */
import type { OperatorType } from '../../descriptors/generated/descriptors.js';
import type { GraphNode } from '../resolved-graph.js';
import type { Draft, Edge } from './draft.js';
import type { Rule } from './rule.js';

/** `scale · x + bias` for the elements x of an edge. */
interface Affine {
  readonly edge: Edge;
  readonly scale: number;
  readonly bias: number;
  /** The nodes that compute it. */
  readonly steps: number;
}

const arithmetic: readonly OperatorType[] = ['elementWiseAdd', 'elementWiseSubtract', 'elementWiseMultiply', 'elementWiseDivide'];

export const affine: Rule = {
  ends: null,
  apply: (node, draft) => {
    const { descriptor } = node.operator;
    if (!('outputTensor' in descriptor)) return null;
    const { type, outputTensor } = descriptor;
    // Beside these fields only its type: a power would scale its exponent, too.
    const isFunction = 'scaleBias' in descriptor && 'inputTensor' in descriptor && Object.keys(descriptor).length === 4;
    if (isFunction ? descriptor.scaleBias !== null : !arithmetic.includes(type)) return null;
    const found = isFunction ? affineOf(draft, draft.edge(node, 'inputTensor')) : stepOf(draft, node);
    // A single factor or addend is as fast as an operator of its own.
    if (found === null || found.steps < (isFunction ? 1 : 2)) return null;
    const { edge, scale, bias } = found;
    const fields = { type: isFunction ? type : 'elementWiseIdentity', inputTensor: edge, outputTensor } as const;
    return draft.node(node.name, { ...fields, scaleBias: { scale, bias } });
  },
};

/** The factor and the addend of what an edge reads; null if nothing is multiplied or added. */
export function affineOf(draft: Draft, edge: Edge | null): Affine | null {
  const found = draft.before(edge, [...arithmetic, 'elementWiseIdentity']);
  return found === null ? null : stepOf(draft, found.node);
}

/** What the node computes, with the nodes before it. Null if it is not affine. */
export function stepOf(draft: Draft, node: GraphNode): Affine | null {
  const { descriptor } = node.operator;
  const { type } = descriptor;
  if (type === 'elementWiseIdentity') {
    const edge = draft.edge(node, 'inputTensor');
    if (edge === null || descriptor.scaleBias === null || edge.tensor.dataType !== 'float32') return null;
    return composed(draft, edge, descriptor.scaleBias);
  }
  const [a, b] = draft.sides(node);
  const number = draft.scalar(b);
  const other = number === null ? draft.scalar(a) : null;
  const edge = number === null ? b : a;
  const value = number ?? other;
  if (edge === null || value === null || edge.tensor.dataType !== 'float32' || !Number.isFinite(value)) return null;
  if (type === 'elementWiseAdd') return composed(draft, edge, { scale: 1, bias: value });
  if (type === 'elementWiseMultiply') return composed(draft, edge, { scale: value, bias: 0 });
  if (type === 'elementWiseSubtract')
    return composed(draft, edge, number === null ? { scale: -1, bias: value } : { scale: 1, bias: -value });
  return number === null || type !== 'elementWiseDivide' || value === 0
    ? null
    : composed(draft, edge, { scale: 1 / value, bias: 0 });
}

function composed(draft: Draft, edge: Edge, { scale, bias }: { readonly scale: number; readonly bias: number }): Affine {
  const before = affineOf(draft, edge);
  if (before === null) return { edge, scale, bias, steps: 1 };
  return { edge: before.edge, scale: scale * before.scale, bias: scale * before.bias + bias, steps: before.steps + 1 };
}
