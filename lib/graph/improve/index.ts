/**
 * Improves a graph before a backend compiles it: equal nodes are one, and patterns of several nodes become the operator that
 * DirectML has for them. Names of nodes stay: a pattern has that of its last node.
 */
import type { FeatureLevel } from '../../schema/generated/enums.js';
import type { GraphNode, ResolvedGraph } from '../resolved-graph.js';
import { affine } from './affine.js';
import { activation } from './activation.js';
import { bias } from './bias.js';
import { Draft } from './draft.js';
import { joined } from './equal-nodes.js';
import { gelu } from './gelu.js';
import { normalization, scaledNormalization } from './normalization.js';
import { pruned } from './pruned.js';
import type { Rule } from './rule.js';

/** `'exact'` changes no bit of an output. `'fast'` may round less often, or in another order. */
export type GraphPrecision = 'exact' | 'fast';

/** Each list is one pass: the patterns of a pass see the nodes that those before have made. */
const passes: Readonly<Record<GraphPrecision, readonly (readonly Rule[])[]>> = {
  exact: [],
  fast: [[normalization, scaledNormalization, gelu], [affine, bias], [activation]],
};

/** The graph itself if the precision is null. */
export function improved(graph: ResolvedGraph, precision: GraphPrecision | null, level: FeatureLevel): ResolvedGraph {
  if (precision === null) return graph;
  return passes[precision].reduce((before, rules) => rewritten(before, rules, level), pruned(joined(graph)));
}

function rewritten(graph: ResolvedGraph, rules: readonly Rule[], level: FeatureLevel): ResolvedGraph {
  const draft = new Draft(graph, level);
  for (const before of graph.nodes) {
    let node = before;
    for (let made: GraphNode | null = node; made !== null; made = changed(node, rules, draft)) node = made;
    draft.nodes.push(node);
  }
  return pruned({ ...graph, nodes: draft.nodes });
}

/** The node of the first rule that applies; null if none does. */
function changed(node: GraphNode, rules: readonly Rule[], draft: Draft): GraphNode | null {
  for (const { ends, apply } of rules) {
    const made = ends.includes(node.operator.descriptor.type) ? apply(node, draft) : null;
    if (made !== null) return made;
  }
  return null;
}
