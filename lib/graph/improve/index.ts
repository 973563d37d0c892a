/**
 * Improves a graph before a backend compiles it: equal nodes are one, copies vanish, and patterns of several nodes become the
 * operator that DirectML has for them. Names of nodes stay: a pattern has that of its last node.
 */
import type { FeatureLevel } from '../../tensors/generated/enums.js';
import type { Optimize } from '../optimize.js';
import type { GraphNode, ResolvedGraph } from '../resolved-graph.js';
import { affine } from './affine.js';
import { activation } from './activation.js';
import { batchNormalization } from './batch-normalization.js';
import { bias, scaledProduct } from './bias.js';
import { copies, withoutCopies } from './copies.js';
import { Draft } from './draft.js';
import { joined } from './equal-nodes.js';
import { gelu } from './gelu.js';
import { normalization, scaledNormalization } from './normalization.js';
import { pruned } from './pruned.js';
import type { Rule } from './rule.js';
import { swish } from './swish.js';
import { transposes } from './transposes.js';

/** Each list is one pass: the patterns of a pass see the nodes that those before have made. */
const exact: readonly (readonly Rule[])[] = [[copies, transposes]];
const passes: Readonly<Record<Exclude<Optimize, false>, readonly (readonly Rule[])[]>> = {
  exact,
  fast: [
    ...exact,
    [normalization, scaledNormalization, gelu, swish],
    [affine, scaledProduct, bias, batchNormalization],
    [activation],
  ],
};

export function improved(graph: ResolvedGraph, optimize: Optimize, level: FeatureLevel): ResolvedGraph {
  if (optimize === false) return graph;
  return passes[optimize].reduce((before, rules) => rewritten(before, rules, level), joined(graph));
}

function rewritten(graph: ResolvedGraph, rules: readonly Rule[], level: FeatureLevel): ResolvedGraph {
  const draft = new Draft(graph, level);
  for (const before of graph.nodes) {
    let node = before;
    for (let made: GraphNode | null = node; made !== null; made = changed(node, rules, draft)) node = made;
    draft.nodes.push(node);
  }
  const outputs = graph.outputs.map((output) => withoutCopies(output, draft));
  return pruned({ ...graph, nodes: draft.nodes, constants: draft.constants, outputs });
}

/** The node of the first rule that applies; null if none does. */
function changed(node: GraphNode, rules: readonly Rule[], draft: Draft): GraphNode | null {
  for (const { ends, apply } of rules) {
    const made = ends?.includes(node.operator.descriptor.type) === false ? null : apply(node, draft);
    if (made !== null) return made;
  }
  return null;
}
