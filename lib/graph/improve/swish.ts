/** Swish, written as `x · sigmoid(scale · x)`. */
import type { GraphNode } from '../resolved-graph.js';
import { affineOf } from './affine.js';
import { isSame, type Draft, type Edge } from './draft.js';
import type { Rule } from './rule.js';

export const swish: Rule = {
  ends: ['elementWiseMultiply'],
  apply: (node, draft) => draft.inAnyOrder(node, (x, factor) => weighted(draft, node, x, factor)),
};

function weighted(draft: Draft, node: GraphNode, inputTensor: Edge | null, factor: Edge | null): GraphNode | null {
  const { descriptor } = node.operator;
  const sigmoid = draft.before(factor, ['activationSigmoid']);
  if (sigmoid === null || inputTensor === null || descriptor.type !== 'elementWiseMultiply') return null;
  const inside = draft.edge(sigmoid.node, 'inputTensor');
  const scaled = isSame(inside, inputTensor) ? { edge: inside, scale: 1, bias: 0 } : affineOf(draft, inside);
  if (scaled?.bias !== 0 || !isSame(scaled.edge, inputTensor)) return null;
  const { outputTensor } = descriptor;
  return draft.node(node.name, { type: 'activationSwish', inputTensor, outputTensor, sigmoidInputScale: scaled.scale });
}
