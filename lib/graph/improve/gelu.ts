/** Gelu, written as `0.5 · x · (1 + erf(x / √2))`. */
import type { GraphNode } from '../resolved-graph.js';
import { affineOf } from './affine.js';
import { isSame, type Draft, type Edge } from './draft.js';
import type { Rule } from './rule.js';

export const gelu: Rule = {
  ends: ['elementWiseMultiply'],
  apply: (node, draft) => {
    const { descriptor } = node.operator;
    if (descriptor.type !== 'elementWiseMultiply' || descriptor.outputTensor.dataType !== 'float32') return null;
    const { number, edges } = factorsOf(draft, node);
    const [a = null, b = null, c] = edges;
    if (c !== undefined || Math.abs(number - 0.5) > tolerance) return null;
    const inputTensor = isErrorFunction(draft, b, a) ? a : isErrorFunction(draft, a, b) ? b : null;
    const { outputTensor } = descriptor;
    return inputTensor && draft.node(node.name, { type: 'activationGelu', inputTensor, outputTensor });
  },
};

/** Constants come from files in float32 or with few digits. */
const tolerance = 1e-4;

/** The factors of a product of products: numbers as one, and what is no constant. */
function factorsOf(draft: Draft, node: GraphNode): { readonly number: number; readonly edges: readonly Edge[] } {
  let number = 1;
  const edges: Edge[] = [];
  for (const edge of draft.sides(node)) {
    const value = draft.scalar(edge);
    const inner = draft.before(edge, ['elementWiseMultiply']);
    if (value !== null) number *= value;
    else if (inner !== null) {
      const factors = factorsOf(draft, inner.node);
      number *= factors.number;
      edges.push(...factors.edges);
    } else if (edge !== null) edges.push(edge);
  }
  return { number, edges };
}

/** True for `1 + erf(x / √2)`. */
function isErrorFunction(draft: Draft, edge: Edge | null, x: Edge | null): boolean {
  const sum = affineOf(draft, edge);
  const error = sum?.scale === 1 && sum.bias === 1 ? draft.before(sum.edge, ['elementWiseErf']) : null;
  const inside = error?.fields.scaleBias === null ? affineOf(draft, draft.edge(error.node, 'inputTensor')) : null;
  return inside?.bias === 0 && Math.abs(inside.scale - Math.SQRT1_2) <= tolerance && isSame(inside.edge, x);
}
