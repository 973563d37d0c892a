/** Nodes that compute the same from the same inputs are one. */
import type { GraphNode, GraphSource, ResolvedGraph } from '../resolved-graph.js';
import { plainTextOf } from '../../values/given.js';
import { pruned } from './pruned.js';

/** The graph itself if there are none. */
export function joined(graph: ResolvedGraph): ResolvedGraph {
  const alike = new Map<string, FirstNodes>();
  /** The first of the nodes that are equal to each node. */
  const firsts: number[] = [];
  const first = <Source extends GraphSource | null>(source: Source): Source => {
    return source?.kind === 'node' ? { ...source, index: firsts[source.index] ?? source.index } : source;
  };
  const nodes = graph.nodes.map((node, i) => {
    const inputs = node.inputs.map(first);
    const key = `${node.operator.descriptor.type} ${inputs.map(keyOf).join()} ${node.recomputation ?? 0}`;
    const known = alike.get(key) ?? new FirstNodes();
    alike.set(key, known);
    firsts.push(readsOutputs(node) ? i : known.equalTo(node, i));
    return { ...node, inputs };
  });
  if (firsts.every((place, i) => place === i)) return graph;
  return pruned({ ...graph, nodes, outputs: graph.outputs.map((output) => ({ ...output, source: first(output.source) })) });
}

/** Nodes of one type with the same inputs, by the texts of their descriptors. A node that is alone needs no text. */
class FirstNodes {
  #only: readonly [node: GraphNode, place: number] | null = null;
  readonly #places = new Map<string, number>();

  /** The place of the first equal node, which may be this one. */
  equalTo(node: GraphNode, place: number): number {
    if (this.#only === null) {
      this.#only = [node, place];
      return place;
    }
    const [only, first] = this.#only;
    if (only.operator === node.operator) return first;
    if (this.#places.size === 0) this.#places.set(textOf(only), first);
    const text = textOf(node);
    const found = this.#places.get(text) ?? place;
    this.#places.set(text, found);
    return found;
  }
}

function textOf({ operator }: GraphNode): string {
  return plainTextOf(operator.descriptor);
}

/** True for an attention that adds to what the memory of its outputs holds: two of them have different caches. */
export function readsOutputs({ operator: { descriptor } }: GraphNode): boolean {
  return descriptor.type === 'multiheadAttention1' && descriptor.pastSequenceLengthsTensor !== null;
}

function keyOf(source: GraphSource | null): string {
  if (source === null) return '';
  return source.kind === 'node' ? `${source.index}.${source.output}` : `${source.kind} ${source.index}`;
}
