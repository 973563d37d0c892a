/** What a rule is. */
import type { OperatorType } from '../../descriptors/generated/descriptors.js';
import type { GraphNode } from '../resolved-graph.js';
import type { Draft } from './draft.js';

export interface Rule {
  /** The operators with which its pattern ends; null if that depends on what is known of an operator. */
  readonly ends: readonly OperatorType[] | null;
  /** The node that computes the same in place of this one and of those before it; null if they are another pattern. */
  readonly apply: (node: GraphNode, draft: Draft) => GraphNode | null;
}
