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
  const before = draft.fieldsOf(found.node);
  // Only this version has the field.
  const type = before.type === 'elementWiseAdd' ? 'elementWiseAdd1' : before.type;
  const hasField = type !== before.type || before['fusedActivation'] === null;
  const fusedActivation = { ...parameters, inputTensor: null, outputTensor: null };
  return hasField ? draft.node(node.name, { ...before, type, outputTensor, fusedActivation }) : null;
}
