/** Helpers that change graphs. */
import {
  flatView,
  isFourBit,
  isReference,
  nameIn,
  readersIn,
  readTensor,
  referenceTo,
  setSlot,
  slotsOf,
  valuesOf,
  type LooseGraph,
  type NamedValue,
} from '../../graphs/loose-graph.js';
import { isTensor, type LooseDescriptor } from '../../descriptors/candidate.js';

export function outputsOf(graph: LooseGraph): NamedValue[] {
  return [...valuesOf(graph).values()].filter(({ node }) => node !== null && graph.nodes[node]?.type !== 'fillValueSequence');
}

export function leavesOf(graph: LooseGraph): NamedValue[] {
  return [...valuesOf(graph).values()].filter(({ node }) => node === null);
}

/** The values that `tile` and `slice1` can read. */
export function copyable(graph: LooseGraph): NamedValue[] {
  return [...outputsOf(graph), ...leavesOf(graph)].filter(({ tensor }) => !isFourBit(tensor));
}

/** A name that begins with `start` and that no part of the graph has. */
export function freshName(graph: LooseGraph, start: string): string {
  const taken = [graph.inputs, graph.constants, graph.nodes, graph.outputs].flatMap((part) => Object.keys(part));
  for (let i = 0; ; i++) if (!taken.some((name) => name.startsWith(`${start}${i}`))) return `${start}${i}`;
}

/** Adds a node that copies the value as one dimension. Returns its output. */
export function addCopy(graph: LooseGraph, value: NamedValue): NamedValue {
  const node = freshName(graph, 'copy');
  const tensor = flatView(value.tensor);
  graph.nodes[node] = { type: 'tile', inputTensor: referenceTo(value, tensor), repeats: [1], outputTensor: tensor };
  return { name: `${node}.outputTensor`, tensor, node, position: 0 };
}

/**
 * Repairs a graph that has lost a reader: nodes that lead nowhere become outputs, and inputs and constants that nothing reads are
 * removed.
 */
export function mend(graph: LooseGraph): void {
  const references = [...readersIn(graph).map(({ reference }) => reference), ...Object.values(graph.outputs)];
  const read = new Set(references.map(nameIn));
  for (const [node, descriptor] of Object.entries(graph.nodes)) {
    const outputs = slotsOf(descriptor, 'output').filter(({ value }) => isTensor(value));
    const [first] = outputs;
    if (first === undefined || outputs.some(({ path }) => read.has(`${node}.${path}`))) continue;
    graph.outputs[freshName(graph, 'mended')] = `${node}.${first.path}`;
  }
  for (const part of [graph.inputs, graph.constants]) {
    for (const name of Object.keys(part)) if (!read.has(name)) delete part[name];
  }
}

/** The descriptor of the operator alone. Its inputs are tensors that also have the name of their value. */
export function expanded(descriptor: LooseDescriptor, values: ReadonlyMap<string, NamedValue>): LooseDescriptor {
  const alone = structuredClone(descriptor);
  for (const slot of slotsOf(alone, 'input')) {
    if (!isReference(slot.value)) continue;
    const value = nameIn(slot.value);
    setSlot(alone, slot, { ...structuredClone(readTensor(slot.value, values.get(value))), value });
  }
  return alone;
}

/** The opposite of {@link expanded}. */
export function contracted(alone: LooseDescriptor, values: ReadonlyMap<string, NamedValue>): LooseDescriptor {
  const descriptor = { ...alone };
  for (const slot of slotsOf(descriptor, 'input')) {
    if (!isTensor(slot.value) || !isReference(slot.value)) continue;
    const name = nameIn(slot.value);
    const value = values.get(name);
    setSlot(descriptor, slot, value === undefined ? { value: name, as: slot.value } : referenceTo(value, slot.value));
  }
  return descriptor;
}
