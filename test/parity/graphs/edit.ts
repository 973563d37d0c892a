/** Helpers that change graphs. */
import { toJsonValue } from '#lib/graph/json-values.js';
import type { Random } from '../../random.js';
import { isTensor, type LooseDescriptor, type LooseTensor } from '../candidate.js';
import { isReference, nameIn, type LooseGraph, type Reference } from './candidate.js';
import { flatView, isFourBit } from './layouts.js';
import { plainNumbers } from './numbers.js';
import { readTensor, referenceTo, setSlot, slotsOf, valuesOf, type NamedValue, type Slot } from './values.js';

/** A tensor field of a node that names a value. */
export interface Reader {
  readonly node: string;
  readonly descriptor: LooseDescriptor;
  readonly slot: Slot;
  readonly reference: Reference;
  /** What the reader says about the value. */
  readonly tensor: LooseTensor;
  /** Undefined if there is no such value. */
  readonly value: NamedValue | undefined;
}

export function readersIn(graph: LooseGraph): Reader[] {
  const values = valuesOf(graph);
  return Object.entries(graph.nodes).flatMap(([node, descriptor]) =>
    slotsOf(descriptor, 'input').flatMap((slot): Reader[] => {
      const reference = slot.value;
      if (!isReference(reference)) return [];
      const tensor = readTensor(reference, values);
      return [{ node, descriptor, slot, reference, tensor, value: values.get(nameIn(reference)) }];
    }),
  );
}

/** One of the list that fits; undefined if there is none. */
export function pickFrom<T>(random: Random, list: readonly T[], fits: (element: T) => boolean = () => true): T | undefined {
  const fitting = list.filter(fits);
  return fitting.length === 0 ? undefined : random.pick(fitting);
}

export function outputsOf(graph: LooseGraph): NamedValue[] {
  return [...valuesOf(graph).values()].filter(({ node }) => node !== null && graph.nodes[node]?.type !== 'fillValueSequence');
}

export function leavesOf(graph: LooseGraph): NamedValue[] {
  return [...valuesOf(graph).values()].filter(({ node }) => node === null);
}

/** A name that starts so and that nothing in the graph has. */
export function freshName(graph: LooseGraph, start: string): string {
  const taken = [graph.inputs, graph.constants, graph.nodes, graph.outputs].flatMap((part) => Object.keys(part));
  for (let i = 0; ; i++) if (!taken.some((name) => name.startsWith(`${start}${i}`))) return `${start}${i}`;
}

/** Adds a node that copies the value as one dimension. Returns the name of its output. */
export function addCopy(graph: LooseGraph, value: NamedValue): string {
  const node = freshName(graph, 'copy');
  const inputTensor = referenceTo(value.name, flatView(value.tensor), valuesOf(graph));
  graph.nodes[node] = { type: 'tile', inputTensor, repeats: [1], outputTensor: flatView(value.tensor) };
  return `${node}.outputTensor`;
}

/** The values that `tile` and `slice1` can read. */
export function copyable({ tensor }: NamedValue): boolean {
  return !isFourBit(tensor);
}

/** After a reader was taken away: makes nodes that lead nowhere outputs, and removes inputs and constants that nothing reads. */
export function mend(graph: LooseGraph): void {
  const read = namesRead(graph);
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

/** The names that nodes and outputs of the graph refer to. */
export function namesRead(graph: LooseGraph): Set<string> {
  return new Set([...readersIn(graph).map(({ reference }) => reference), ...Object.values(graph.outputs)].map(nameIn));
}

/** The descriptor of the operator alone. Its inputs are tensors that also have the name of their value. */
export function expanded(descriptor: LooseDescriptor, values: ReadonlyMap<string, NamedValue>): LooseDescriptor {
  const tensors = new Set(slotsOf(descriptor).map(({ field }) => field));
  const fields = Object.entries(descriptor).map(([name, value]) => [name, tensors.has(name) ? value : plainNumbers(value)]);
  const alone: LooseDescriptor = { ...structuredClone(Object.fromEntries(fields)), type: descriptor.type };
  for (const slot of slotsOf(alone, 'input')) {
    if (!isReference(slot.value)) continue;
    const tensor = structuredClone(readTensor(slot.value, values));
    setSlot(alone, slot, Object.assign(tensor, { value: nameIn(slot.value) }));
  }
  return alone;
}

/** The opposite of {@link expanded}. */
export function contracted(alone: LooseDescriptor, values: ReadonlyMap<string, NamedValue>): LooseDescriptor {
  const tensors = new Set(slotsOf(alone).map(({ field }) => field));
  const fields = Object.entries(alone).map(([name, value]) => [name, tensors.has(name) ? value : toJsonValue(value)]);
  const descriptor: LooseDescriptor = { ...Object.fromEntries(fields), type: alone.type };
  for (const slot of slotsOf(descriptor, 'input')) {
    if (isTensor(slot.value) && isReference(slot.value))
      setSlot(descriptor, slot, referenceTo(nameIn(slot.value), slot.value, values));
  }
  return descriptor;
}
