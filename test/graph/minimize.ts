/** Makes a graph that fails smaller, as long as it fails in the same way: fewer outputs, and inputs in place of nodes. */
import type { GraphDescriptor, NodeDesc, ValueReference } from 'node-directml';
import { base64 } from '../conformance/case.js';
import { plainGraph, type GraphCase, type PlainGraph, type PlainNode, type Values } from './graph-case.js';

/** Says whether a graph fails; and the values of its nodes, if they can be computed. */
export interface Trial {
  fails(test: GraphCase): Promise<boolean>;
  valuesOf(test: GraphCase, plain: PlainGraph): Promise<Values>;
}

export async function minimized(test: GraphCase, trial: Trial): Promise<GraphCase> {
  let current = test;
  for (;;) {
    const smaller = (await withFewerOutputs(current, trial)) ?? (await withFewerNodes(current, trial));
    if (smaller === null) return current;
    current = smaller;
  }
}

async function withFewerOutputs(test: GraphCase, trial: Trial): Promise<GraphCase | null> {
  const names = Object.keys(test.graph.outputs);
  // A single output at once, if that will do.
  const kept = [...names.map((name) => [name]), ...names.map((name) => names.filter((other) => other !== name))];
  for (const some of names.length < 2 ? [] : kept) {
    const outputs = Object.fromEntries(some.flatMap((name) => entry(test.graph.outputs, name)));
    const candidate = pruned({ ...test, graph: { ...test.graph, outputs } });
    if (await trial.fails(candidate)) return candidate;
  }
  return null;
}

async function withFewerNodes(test: GraphCase, trial: Trial): Promise<GraphCase | null> {
  const plain = plainGraph(test);
  const values = await trial.valuesOf(test, plain);
  for (const node of plain.nodes.toReversed()) {
    if (!(node.name in test.graph.nodes)) continue;
    const candidate = withoutNode(test, node, values);
    if (candidate !== null && (await trial.fails(candidate))) return candidate;
  }
  return null;
}

/** The graph with an input in place of each output of the node; null if nothing else would be left. */
function withoutNode({ graph, data }: GraphCase, { name, outputs }: PlainNode, values: Values): GraphCase | null {
  const { [name]: _dropped, ...others } = graph.nodes;
  const names = new Map(outputs.map(({ value, path }) => [value, `${name}_${path}`]));
  const rename = (reference: unknown): unknown => {
    if (typeof reference === 'string') return names.get(reference) ?? reference;
    if (Array.isArray(reference)) return reference.map(rename);
    if (typeof reference !== 'object' || reference === null || !('value' in reference)) return reference;
    return { ...reference, value: rename(reference.value) };
  };
  const nodes = Object.entries(others).map(([other, node]): [string, NodeDesc] => {
    const fields = Object.entries(node).map(([field, value]) => [field, field === 'type' ? value : rename(value)]);
    return [other, { ...node, ...Object.fromEntries(fields) }];
  });
  // An output that is an input would be a copy of it.
  const kept = Object.entries(graph.outputs).filter(([, reference]) => !names.has(nameIn(reference)));
  if (kept.length === 0) return null;
  const inputs = outputs.map(({ value, tensor: { dataType, sizes, strides = null } }) => [
    names.get(value),
    { dataType, sizes, ...(strides === null ? {} : { strides }) },
  ]);
  const bytes = outputs.map(({ value }) => [names.get(value), base64(values.get(value) ?? new Uint8Array(0))]);
  return pruned({
    graph: {
      ...graph,
      inputs: { ...graph.inputs, ...Object.fromEntries(inputs) },
      nodes: Object.fromEntries(nodes),
      outputs: Object.fromEntries(kept),
    },
    data: { ...data, ...Object.fromEntries(bytes) },
  });
}

/** Without the nodes, inputs and constants that no output needs. */
function pruned({ graph, data }: GraphCase): GraphCase {
  const needed = new Set<string>();
  const waiting = Object.values(graph.outputs).map(nameIn);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const node = graph.nodes[nodeOf(name)];
    const key = node === undefined ? name : nodeOf(name);
    if (needed.has(key)) continue;
    needed.add(key);
    if (node !== undefined) waiting.push(...namesIn(node));
  }
  const keep = <T>(all: Readonly<Record<string, T>> | undefined) =>
    Object.fromEntries(Object.entries(all ?? {}).filter(([name]) => needed.has(name)));
  const { inputs, constants, nodes, outputs } = graph;
  return { graph: { inputs: keep(inputs), constants: keep(constants), nodes: keep(nodes), outputs }, data: keep(data) };
}

/** The names that the fields of a node refer to, and other strings. */
function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(namesIn) : [];
}

function nameIn(reference: ValueReference): string {
  return typeof reference === 'string' ? reference : reference.value;
}

function nodeOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? name : name.slice(0, dot);
}

function entry(outputs: GraphDescriptor['outputs'], name: string): [string, ValueReference][] {
  const value = outputs[name];
  return value === undefined ? [] : [[name, value]];
}
