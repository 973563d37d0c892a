/** Mutations of which value a reader names, and of what it says about the value. */
import type { OperatorType } from 'node-directml';
import { operatorTable } from '#lib/schema/generated/table.js';
import { bytesPerElement, VALUE_TYPES } from '../../conformance/case.js';
import type { Random } from '../../random.js';
import { isTensor, type LooseDescriptor, type LooseTensor } from '../candidate.js';
import { nameIn, type GraphMutation, type LooseGraph, type Mistake, type View } from './candidate.js';
import { copyable, freshName, leavesOf, mend, outputsOf, pickFrom, readersIn, type Reader } from './edit.js';
import { flatView } from './layouts.js';
import { leastBytes, readTensor, setSlot, slotsOf, valuesOf, type NamedValue } from './values.js';

const CODE = 'ERR_INVALID_GRAPH';

export const brokenReferences: readonly GraphMutation[] = [
  { rule: 'a node reads a value that does not exist', expected: ['invalid'], change: unknownValue },
  { rule: 'an output is a value that does not exist', expected: ['invalid'], change: unknownOutput },
  { rule: 'a node reads an optional output that its node leaves out', expected: ['invalid'], change: leftOutOutput },
  { rule: 'a node reads itself', expected: ['invalid'], change: selfLoop },
  { rule: 'a node reads a node that depends on it', expected: ['invalid'], change: cycle },
  { rule: 'two nodes read each other', expected: ['invalid'], change: addCycle },
  { rule: 'a required input is missing', expected: ['invalid'], change: missingInput },
  { rule: 'an input is a description in place of a value', expected: ['invalid'], change: description },
  { rule: 'an output of a node is a value', expected: ['invalid'], change: valueForOutput },
  { rule: 'a node reads more or fewer bytes of a node', expected: ['invalid'], change: otherSize(outputsOf) },
  { rule: 'a node reads more or fewer bytes of an input', expected: ['stricter', 'invalid'], change: otherSize(leavesOf) },
  { rule: 'an output is a view of more or fewer bytes', expected: ['stricter', 'invalid'], change: otherOutputSize },
  { rule: 'a node reads another data type of a node', expected: ['stricter', 'invalid'], change: otherType(true) },
  { rule: 'a node reads another data type of an input', expected: ['stricter', 'invalid'], change: otherType(false) },
];

function at({ node, slot }: Reader, field = ''): Mistake {
  return { code: CODE, field: `nodes.${node}.${slot.path}${field}` };
}

function refer({ descriptor, slot }: Reader, view: View): void {
  setSlot(descriptor, slot, view);
}

/** A name that is nearly one of a value. */
function wrongName(random: Random, graph: LooseGraph, name: string): string {
  const values = valuesOf(graph);
  const dot = name.lastIndexOf('.');
  const near = [`${name}x`, `${name}[7]`, name.slice(1), name.slice(0, dot), 'nothing', '', `${name.slice(0, dot)}.inputTensor`];
  return random.pick(near.filter((wrong) => !values.has(wrong)));
}

function unknownValue(random: Random, graph: LooseGraph): Mistake | null {
  const reader = pickFrom(random, readersIn(graph));
  if (reader === undefined) return null;
  refer(reader, { value: wrongName(random, graph, nameIn(reader.reference)), as: reader.tensor });
  mend(graph);
  return at(reader);
}

function unknownOutput(random: Random, graph: LooseGraph): Mistake {
  const name = random.pick(Object.keys(graph.outputs));
  graph.outputs[name] = wrongName(random, graph, nameIn(graph.outputs[name] ?? ''));
  mend(graph);
  return { code: CODE, field: `outputs.${name}` };
}

/** Only of nodes that have another output, because without any a node would be wrong in itself. */
const INDEPENDENT: readonly OperatorType[] = ['rnn', 'gru', 'maxPooling1', 'maxPooling2', 'randomGenerator'];

function leftOutOutput(random: Random, graph: LooseGraph): Mistake | 'changed' | null {
  const readers = readersIn(graph).filter(({ value }) => {
    const node = graph.nodes[value?.node ?? ''];
    if (node === undefined || value === undefined) return false;
    const outputs = slotsOf(node, 'output');
    const slot = outputs.find(({ position }) => position === value.position);
    const isOptional = operatorTable[node.type].fields.some(({ name, optional }) => name === slot?.field && optional === true);
    return isOptional && INDEPENDENT.includes(node.type) && outputs.filter((output) => isTensor(output.value)).length > 1;
  });
  const chosen = pickFrom(random, readers);
  const descriptor = graph.nodes[chosen?.value?.node ?? ''];
  if (chosen?.value === undefined || descriptor === undefined) return null;
  const { name, position } = chosen.value;
  const slot = slotsOf(descriptor, 'output').find((output) => output.position === position);
  if (slot === undefined) return null;
  for (const reader of readers) {
    if (reader.value?.name === name) refer(reader, { value: name, as: reader.tensor });
  }
  for (const [output, reference] of Object.entries(graph.outputs)) if (nameIn(reference) === name) delete graph.outputs[output];
  if (random.chance(0.5)) descriptor[slot.field] = null;
  else delete descriptor[slot.field];
  mend(graph);
  return readers.filter(({ value }) => value?.name === name).length === 1 ? at(chosen) : 'changed';
}

/** A view of the value that is the tensor, as the reader describes it. */
function viewOf(value: NamedValue, { dataType, sizes, strides }: LooseTensor): View {
  const view: View = { value: value.name, sizes, ...(strides === undefined || strides === null ? {} : { strides }) };
  return dataType === value.tensor.dataType ? view : { ...view, dataType };
}

function canRead({ tensor }: Reader, value: NamedValue): boolean {
  return tensor.dataType === value.tensor.dataType && leastBytes(tensor) === leastBytes(value.tensor);
}

function selfLoop(random: Random, graph: LooseGraph): Mistake | null {
  const outputs = outputsOf(graph);
  const pairs = readersIn(graph).flatMap((reader) =>
    outputs.filter((value) => value.node === reader.node && canRead(reader, value)).map((value) => ({ reader, value })),
  );
  const pair = pickFrom(random, pairs);
  if (pair === undefined) return null;
  refer(pair.reader, viewOf(pair.value, pair.reader.tensor));
  mend(graph);
  return at(pair.reader);
}

function cycle(random: Random, graph: LooseGraph): 'changed' | null {
  const readers = readersIn(graph);
  const outputs = outputsOf(graph);
  const pairs = readers.flatMap((reader) => {
    const behind = nodesBehind(reader.node, readers);
    return outputs
      .filter(({ node }) => behind.has(node ?? ''))
      .flatMap((value) => (canRead(reader, value) ? { reader, value } : []));
  });
  const pair = pickFrom(random, pairs);
  if (pair === undefined) return null;
  refer(pair.reader, viewOf(pair.value, pair.reader.tensor));
  mend(graph);
  return 'changed';
}

/** The nodes that depend on a node, without the node itself. */
function nodesBehind(node: string, readers: readonly Reader[]): Set<string> {
  const behind = new Set<string>();
  const waiting = [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const { node: reader, value } of readers) {
      if (value?.node !== next || behind.has(reader)) continue;
      behind.add(reader);
      waiting.push(reader);
    }
  }
  behind.delete(node);
  return behind;
}

/** Adds a join that reads a slice of itself. Half of the time no output needs both. */
function addCycle(random: Random, graph: LooseGraph): 'changed' | null {
  const value = pickFrom(random, [...outputsOf(graph), ...leavesOf(graph)], copyable);
  if (value === undefined) return null;
  const join = freshName(graph, 'join');
  const slice = freshName(graph, 'slice');
  const { dataType, sizes } = flatView(value.tensor);
  const [size = 1] = sizes;
  const inputTensors = [viewOf(value, { dataType, sizes }), `${slice}.outputTensor`];
  graph.nodes[join] = { type: 'join', axis: 0, inputTensors, outputTensor: { dataType, sizes: [2 * size] } };
  graph.nodes[slice] = {
    type: 'slice1',
    inputTensor: `${join}.outputTensor`,
    outputTensor: { dataType, sizes },
    inputWindowOffsets: [0],
    inputWindowSizes: [size],
    inputWindowStrides: [1],
  };
  if (random.chance(0.5)) graph.outputs[freshName(graph, 'o')] = `${join}.outputTensor`;
  return 'changed';
}

function requiredReader(random: Random, graph: LooseGraph): Reader | undefined {
  return pickFrom(random, readersIn(graph), ({ descriptor, slot }) =>
    operatorTable[descriptor.type].fields.some(({ name, optional }) => name === slot.field && optional !== true),
  );
}

function missingInput(random: Random, graph: LooseGraph): Mistake | 'changed' | null {
  const reader = requiredReader(random, graph);
  if (reader === undefined) return null;
  const { descriptor, slot, node } = reader;
  const isLeftOut = random.chance(0.5);
  if (isLeftOut) delete descriptor[slot.field];
  else setSlot(descriptor, slot, null);
  mend(graph);
  return isLeftOut ? { code: 'ERR_MISSING_FIELD', field: `nodes.${node}.${slot.field}` } : 'changed';
}

function description(random: Random, graph: LooseGraph): Mistake | null {
  const reader = requiredReader(random, graph);
  if (reader === undefined) return null;
  setSlot(reader.descriptor, reader.slot, readTensor(reader.reference, valuesOf(graph)));
  mend(graph);
  return { code: 'ERR_UNKNOWN_FIELD', field: `nodes.${reader.node}.${reader.slot.path}` };
}

function valueForOutput(random: Random, graph: LooseGraph): 'changed' | null {
  const value = pickFrom(random, outputsOf(graph), ({ node }) => isAlone(graph.nodes[node ?? '']));
  const descriptor = graph.nodes[value?.node ?? ''];
  const slot = descriptor === undefined ? undefined : slotsOf(descriptor, 'output')[0];
  if (value === undefined || descriptor === undefined || slot === undefined) return null;
  const leaf = pickFrom(random, leavesOf(graph));
  setSlot(descriptor, slot, leaf?.name ?? 'nothing');
  return 'changed';
}

/** True if the node has one output, without which it is wrong. */
function isAlone(descriptor: LooseDescriptor | undefined): boolean {
  return descriptor !== undefined && slotsOf(descriptor, 'output').length === 1;
}

/** A reader that keeps its tensor, but names a value of another size. */
function otherSize(from: (graph: LooseGraph) => NamedValue[]): GraphMutation['change'] {
  return (random, graph) => {
    const order = Object.keys(graph.nodes);
    const isBefore = (value: NamedValue, { node }: Reader) =>
      value.node === null || order.indexOf(value.node) < order.indexOf(node);
    const values = from(graph).filter(({ tensor: { flags } }) => flags !== 'ownedByDml');
    const pairs = readersIn(graph).flatMap((reader) =>
      values
        .filter(({ tensor }) => tensor.dataType === reader.tensor.dataType && leastBytes(tensor) !== leastBytes(reader.tensor))
        .flatMap((value) => (isBefore(value, reader) ? { reader, value } : [])),
    );
    const pair = pickFrom(random, pairs);
    if (pair === undefined) return null;
    refer(pair.reader, viewOf(pair.value, pair.reader.tensor));
    mend(graph);
    return { code: 'ERR_TENSOR_SIZE', field: at(pair.reader, '.sizes').field };
  };
}

function otherOutputSize(random: Random, graph: LooseGraph): Mistake | null {
  const values = valuesOf(graph);
  const names = Object.keys(graph.outputs).filter((output) => values.has(nameIn(graph.outputs[output] ?? '')));
  const name = pickFrom(random, names);
  const value = values.get(nameIn(graph.outputs[name ?? ''] ?? ''));
  if (name === undefined || value === undefined) return null;
  const [size = 1] = flatView(value.tensor).sizes;
  const sizes = pickFrom(
    random,
    [[size + random.int(8, 20)], [Math.max(1, size - random.int(8, 20))]],
    (other) => leastBytes({ ...value.tensor, sizes: other, strides: null }) !== leastBytes(value.tensor),
  );
  if (sizes === undefined) return null;
  graph.outputs[name] = { value: value.name, sizes };
  return { code: 'ERR_TENSOR_SIZE', field: `outputs.${name}.sizes` };
}

/** A reader that takes the bytes of a new input, or of a copy of it, for another data type. */
function otherType(isCopied: boolean): GraphMutation['change'] {
  return (random, graph) => {
    const reader = pickFrom(random, readersIn(graph), ({ tensor }) => bytesPerElement(tensor.dataType) >= 1);
    if (reader === undefined) return null;
    const bytes = leastBytes(reader.tensor);
    const dataType = pickFrom(
      random,
      VALUE_TYPES,
      (type) => type !== reader.tensor.dataType && bytes % bytesPerElement(type) === 0,
    );
    if (dataType === undefined) return null;
    const tensor = { dataType, sizes: [bytes / bytesPerElement(dataType)] };
    const input = freshName(graph, 'other');
    graph.inputs[input] = tensor;
    const copy = freshName(graph, 'copy');
    // It comes first, so that it is before the node that reads it.
    if (isCopied)
      graph.nodes = { [copy]: { type: 'tile', inputTensor: input, repeats: [1], outputTensor: tensor }, ...graph.nodes };
    const name = isCopied ? `${copy}.outputTensor` : input;
    refer(reader, viewOf({ name, tensor, node: null, position: 0 }, reader.tensor));
    mend(graph);
    return { code: 'ERR_UNKNOWN_FIELD', field: at(reader, '.dataType').field };
  };
}
