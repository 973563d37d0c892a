/** An activation after an operator that has a field for it. */
import { operatorTable } from '../../descriptors/generated/table.js';
import { valuesOf } from '../../descriptors/resolved.js';
import type { GraphNode } from '../resolved-graph.js';
import { hasOutputPadding } from './bias.js';
import type { Draft } from './draft.js';
import type { Rule } from './rule.js';

export const activation: Rule = { ends: null, apply };

function apply(node: GraphNode, draft: Draft): GraphNode | null {
  const { fusion } = operatorTable[node.operator.descriptor.type];
  // What only some operators take is no function of each element, or has limits of its own.
  if (fusion === undefined || fusion.into !== undefined) return null;
  const found = draft.before(draft.edge(node, 'inputTensor'));
  if (found === null || hasOutputPadding(found.fields)) return null;
  const { inputTensor: _, outputTensor, ...parameters } = valuesOf(node.operator.descriptor);
  const fusedActivation = { ...parameters, inputTensor: null, outputTensor: null };
  if (found.fields.type === 'elementWiseAdd') {
    const [aTensor, bTensor] = draft.sides(found.node);
    // Only this version has the field.
    return draft.node(node.name, { type: 'elementWiseAdd1', aTensor, bTensor, outputTensor, fusedActivation });
  }
  const isFree = 'fusedActivation' in found.fields && found.fields.fusedActivation === null;
  return isFree ? draft.variant(node.name, found.node, { outputTensor, fusedActivation }) : null;
}
