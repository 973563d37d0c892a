/**
 * Encodes a graph for DirectML as it is described, without the package's checks, pruning and additions. Only what would crash the
 * process is replaced: a `fillValueSequence` becomes an input of the graph, as does a constant.
 */
import type { NativeGraphDesc } from '../../../binding.js';
import { isReference, nameIn, slotsOf, valuesOf, type LooseGraph, type NamedValue } from '../../graphs/loose-graph.js';
import { encodeLoosely } from '../../descriptors/encode.js';
import { expanded } from './edit.js';

/** A NativeGraphDesc whose operators may be wrong in any way. */
type EncodedGraph = Omit<NativeGraphDesc, 'operators'> & { readonly operators: readonly Record<string, unknown>[] };

export interface RawGraph {
  readonly graph: EncodedGraph;
  /** The sequences, which DirectML judges alone. */
  readonly sequences: readonly object[];
  /** True if an output is no output of a node: DirectML has no edge for that. */
  readonly isInexpressible: boolean;
  readonly hasDeadNodes: boolean;
}

const NOWHERE = 0xffff_ffff;

export function encodeGraph(graph: LooseGraph): RawGraph {
  const values = valuesOf(graph);
  const named = Object.entries(graph.nodes);
  const isSequence = ([, { type }]: (typeof named)[number]) => type === 'fillValueSequence';
  const nodes = named.filter((node) => !isSequence(node));
  const sequences = named.filter(isSequence);
  const inputs = [...Object.keys(graph.inputs), ...Object.keys(graph.constants), ...sequences.map(([name]) => name)];
  const numbers = new Map(nodes.map(([name], number) => [name, number]));
  const sequenceInputs = new Map(sequences.map(([name], i) => [name, inputs.length - sequences.length + i]));
  const edges = { input: [] as number[], output: [] as number[], intermediate: [] as number[] };
  const connect = (value: NamedValue | undefined, node: number, position: number) => {
    const input = value === undefined ? undefined : value.node === null ? value.position : sequenceInputs.get(value.node);
    if (input !== undefined) edges.input.push(input, node, position);
    else edges.intermediate.push(numbers.get(value?.node ?? '') ?? NOWHERE, value?.position ?? 0, node, position);
  };
  for (const [number, [, descriptor]] of nodes.entries()) {
    for (const { value, position } of slotsOf(descriptor, 'input')) {
      if (isReference(value)) connect(values.get(nameIn(value)), number, position);
    }
  }
  let isInexpressible = false;
  const outputs = Object.entries(graph.outputs);
  for (const [index, [, reference]] of outputs.entries()) {
    const value = values.get(nameIn(reference));
    const node = numbers.get(value?.node ?? '');
    if (value !== undefined && node === undefined) isInexpressible = true;
    else edges.output.push(node ?? NOWHERE, value?.position ?? 0, index);
  }
  const encoded = {
    operators: nodes.map(([, descriptor]) => encodeLoosely(expanded(descriptor, values))),
    nodes: Uint32Array.from(nodes.keys()),
    inputEdges: Uint32Array.from(edges.input),
    outputEdges: Uint32Array.from(edges.output),
    intermediateEdges: Uint32Array.from(edges.intermediate),
    inputs,
    outputs: outputs.map(([name]) => name),
  };
  return {
    graph: encoded,
    sequences: sequences.map(([, descriptor]) => encodeLoosely(descriptor)),
    isInexpressible,
    hasDeadNodes: liveNodes(encoded).size < nodes.length,
  };
}

/** The nodes from which edges lead to an output. */
function liveNodes({ outputEdges, intermediateEdges }: EncodedGraph): Set<number> {
  const before = new Map<number, number[]>();
  for (let i = 0; i < intermediateEdges.length; i += 4) {
    const [from = NOWHERE, , to = NOWHERE] = intermediateEdges.slice(i, i + 4);
    before.set(to, [...(before.get(to) ?? []), from]);
  }
  const live = new Set(outputEdges.filter((_, i) => i % 3 === 0));
  for (const node of live) for (const from of before.get(node) ?? []) live.add(from);
  live.delete(NOWHERE);
  return live;
}
