/** Nodes that compute the same from the same inputs are one. */
import type { GraphNode, GraphSource, ResolvedGraph } from '../resolved-graph.js';
import { plainTextOf } from '../../values/given.js';
import { pruned } from './pruned.js';

/** The graph itself if there are none. */
export function joined(graph: ResolvedGraph): ResolvedGraph {
  const known = new Map<string, number>();
  /** Of operators, which many nodes share. */
  const texts = new Map<object, string>();
  /** The first of the nodes that are equal to each node. */
  const firsts: number[] = [];
  const first = <Source extends GraphSource | null>(source: Source): Source => {
    return source?.kind === 'node' ? { ...source, index: firsts[source.index] ?? source.index } : source;
  };
  const nodes = graph.nodes.map((node, i) => {
    const inputs = node.inputs.map(first);
    const text = texts.get(node.operator) ?? plainTextOf(node.operator.descriptor);
    texts.set(node.operator, text);
    const key = `${text} ${inputs.map(keyOf).join()} ${node.recomputation ?? 0}`;
    const place = readsOutputs(node) ? i : (known.get(key) ?? i);
    known.set(key, place);
    firsts.push(place);
    return { ...node, inputs };
  });
  if (firsts.every((place, i) => place === i)) return graph;
  return pruned({ ...graph, nodes, outputs: graph.outputs.map((output) => ({ ...output, source: first(output.source) })) });
}

/** True for an attention that adds to what the memory of its outputs holds: two of them have different caches. */
export function readsOutputs({ operator: { descriptor } }: GraphNode): boolean {
  return descriptor.type === 'multiheadAttention1' && descriptor.pastSequenceLengthsTensor !== null;
}

function keyOf(source: GraphSource | null): string {
  if (source === null) return '';
  return source.kind === 'node' ? `${source.index}.${source.output}` : `${source.kind} ${source.index}`;
}
