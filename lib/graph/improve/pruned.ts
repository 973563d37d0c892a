/** The parts of a graph that its outputs need. */
import type { GraphSource, ResolvedGraph } from '../resolved-graph.js';

/** The graph without nodes and constants that nothing reads. Inputs stay. */
export function pruned(graph: ResolvedGraph): ResolvedGraph {
  const nodes = new Set(graph.outputs.map(({ source }) => source.index));
  const constants = new Set<number>();
  for (let i = graph.nodes.length - 1; i >= 0; i--) {
    if (!nodes.has(i)) continue;
    for (const source of graph.nodes[i]?.inputs ?? []) {
      if (source?.kind === 'node') nodes.add(source.index);
      if (source?.kind === 'constant') constants.add(source.index);
    }
  }
  if (nodes.size === graph.nodes.length && constants.size === graph.constants.length) return graph;
  const places = { node: placesOf(graph.nodes.length, nodes), constant: placesOf(graph.constants.length, constants) };
  const moved = <Source extends GraphSource | null>(source: Source): Source => {
    return source === null || source.kind === 'input' ? source : { ...source, index: places[source.kind][source.index] ?? -1 };
  };
  return {
    inputs: graph.inputs,
    constants: graph.constants.filter((_, i) => constants.has(i)),
    nodes: graph.nodes.filter((_, i) => nodes.has(i)).map((node) => ({ ...node, inputs: node.inputs.map(moved) })),
    outputs: graph.outputs.map((output) => ({ ...output, source: moved(output.source) })),
  };
}

/** The places of the needed ones among themselves, by index. */
function placesOf(count: number, needed: ReadonlySet<number>): readonly number[] {
  let place = 0;
  return Array.from({ length: count }, (_, i) => (needed.has(i) ? place++ : -1));
}
