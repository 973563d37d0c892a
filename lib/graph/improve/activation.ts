/** An activation after an operator that has a field for it. */
import type { OperatorType } from '../../descriptors/generated/descriptors.js';
import { valuesOf } from '../../descriptors/resolved.js';
import type { GraphNode } from '../resolved-graph.js';
import type { Draft } from './draft.js';
import type { Rule } from './rule.js';

const activated = [
  'convolution',
  'gemm',
  'batchNormalization',
  'elementWiseAdd1',
  'elementWiseAdd',
  'meanVarianceNormalization',
  'meanVarianceNormalization1',
  'meanVarianceNormalization2',
] as const satisfies readonly OperatorType[];

function apply(node: GraphNode, draft: Draft): GraphNode | null {
  const found = draft.before(draft.edge(node, 'inputTensor'), activated);
  if (found === null) return null;
  const { inputTensor: _, outputTensor, ...parameters } = valuesOf(node.operator.descriptor);
  const before = draft.fieldsOf(found.node);
  if (before['fusedActivation'] != null) return null;
  // Only this version has the field.
  const type = before.type === 'elementWiseAdd' ? 'elementWiseAdd1' : before.type;
  const fusedActivation = { ...parameters, inputTensor: null, outputTensor: null };
  return draft.node(node.name, { ...before, type, outputTensor, fusedActivation });
}

export const activation: Rule = {
  ends: [
    ...(['activationElu', 'activationCelu', 'activationHardSigmoid', 'activationLeakyRelu', 'activationLinear'] as const),
    ...(['activationRelu', 'activationScaledElu', 'activationSigmoid', 'activationSoftplus', 'activationSoftsign'] as const),
    ...(['activationTanh', 'activationThresholdedRelu', 'activationGelu'] as const),
  ],
  apply,
};
