/** Graphs that are a little smaller than one that fails. */
import type { LooseTensor } from '../descriptors/candidate.js';
import {
  nameIn,
  readersIn,
  setSlot,
  valuesOf,
  type LooseGraph,
  type NamedValue,
  type Reader,
  type Reference,
} from './loose-graph.js';

/** The name of the input that replaces an output of a node. */
export function inputFor(name: string): string {
  return name.replaceAll('.', '_');
}

/**
 * Smaller graphs: with fewer outputs, with inputs in place of a node, or with a node's input in place of its output. Nodes, inputs
 * and constants that no output needs then are removed.
 */
export function smallerGraphs(graph: LooseGraph): LooseGraph[] {
  const outputs = Object.entries(graph.outputs);
  // A graph with a single output is tried first.
  const fewer = [...outputs.map((kept) => [kept]), ...outputs.map((left) => outputs.filter((other) => other !== left))];
  const values = valuesOf(graph);
  const readers = readersIn(graph, values);
  const nodes = Object.keys(graph.nodes)
    .toReversed()
    .map((node) => ({ node, computed: [...values.values()].filter((value) => value.node === node) }));
  return [
    ...(outputs.length < 2 ? [] : fewer.map((kept) => pruned({ ...graph, outputs: Object.fromEntries(kept) }))),
    ...nodes.flatMap(({ node, computed }) => withoutNode(graph, node, computed)),
    ...nodes.flatMap(({ node, computed }) => bridged(graph, node, computed, readers)),
  ];
}

/** The graph with inputs in place of the outputs of a node; none if no output would be left. */
function withoutNode(graph: LooseGraph, node: string, computed: readonly NamedValue[]): LooseGraph[] {
  const names = new Map(computed.map(({ name }) => [name, inputFor(name)]));
  // Such an output would be a copy of an input, so it is removed.
  const outputs = Object.entries(graph.outputs).filter(([, reference]) => !names.has(nameIn(reference)));
  if (names.size === 0 || outputs.length === 0) return [];
  const added = Object.fromEntries(computed.map(({ name, tensor }) => [inputFor(name), tensor]));
  const inputs = { ...graph.inputs, ...added };
  return [without({ ...graph, inputs, outputs: Object.fromEntries(outputs) }, node, names)];
}

/** The graph with a node's input in place of its only output, if both have the same data type and sizes. */
function bridged(
  graph: LooseGraph,
  node: string,
  [only, second]: readonly NamedValue[],
  readers: readonly Reader[],
): LooseGraph[] {
  if (only === undefined || second !== undefined) return [];
  const kindOf = ({ tensor: { dataType, sizes } }: { readonly tensor: LooseTensor }) => `${dataType} ${sizes.join()}`;
  return readers
    .filter((reader) => reader.node === node && kindOf(reader) === kindOf(only))
    .map(({ reference }) => without(graph, node, new Map([[only.name, nameIn(reference)]])));
}

/** The graph without a node, and with other names for values. */
function without(graph: LooseGraph, node: string, names: ReadonlyMap<string, string>): LooseGraph {
  const renamed = (reference: Reference): Reference => {
    const name = names.get(nameIn(reference)) ?? nameIn(reference);
    return typeof reference === 'string' ? name : { ...reference, value: name };
  };
  const others = Object.entries(graph.nodes).filter(([name]) => name !== node);
  const nodes = Object.fromEntries(others.map(([name, descriptor]) => [name, { ...descriptor }]));
  const outputs = Object.entries(graph.outputs).map(([name, reference]) => [name, renamed(reference)]);
  const changed = { ...graph, nodes, outputs: Object.fromEntries(outputs) };
  for (const { descriptor, slot, reference } of readersIn(changed)) setSlot(descriptor, slot, renamed(reference));
  return pruned(changed);
}

/** Removes the nodes, inputs and constants that no output needs. */
function pruned(graph: LooseGraph): LooseGraph {
  const values = valuesOf(graph);
  const reads = new Map<string, string[]>();
  for (const { node, reference } of readersIn(graph, values)) reads.set(node, [...(reads.get(node) ?? []), nameIn(reference)]);
  const needed = new Set<string>();
  const waiting = Object.values(graph.outputs).map(nameIn);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const key = values.get(name)?.node ?? name;
    if (needed.has(key)) continue;
    needed.add(key);
    waiting.push(...(reads.get(key) ?? []));
  }
  const keep = <T>(all: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => needed.has(name)));
  return { ...graph, inputs: keep(graph.inputs), constants: keep(graph.constants), nodes: keep(graph.nodes) };
}
