/** Mutations that change which value a reader names, or how the reader describes it. */
import type { OperatorType } from 'node-directml';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import { bytesPerElement, VALUE_TYPES } from '../../../cases/case.js';
import {
  flatView,
  nameIn,
  readersIn,
  readTensor,
  setSlot,
  slotsOf,
  valuesOf,
  type LooseGraph,
  type NamedValue,
  type Reader,
  type View,
} from '../../../graphs/loose-graph.js';
import type { Random } from '../../../harness/random.js';
import { isTensor, leastBytes, type LooseTensor } from '../../../descriptors/candidate.js';
import { mutation, type GraphMutation, type Mistake, type Outcome } from '../candidate.js';
import { copyable, freshName, leavesOf, mend, outputsOf } from '../edit.js';

const CODE = 'ERR_INVALID_GRAPH';

export const referenceMutations: readonly GraphMutation[] = [
  mutation('a node reads a value that does not exist', ['invalid'], readersIn, (reader, random, graph) => {
    refer(graph, reader, { value: wrongName(random, graph, nameIn(reader.reference)), as: reader.tensor });
    return at(reader);
  }),
  mutation('an output is a value that does not exist', ['invalid'], outputNames, (name, random, graph) => {
    graph.outputs[name] = wrongName(random, graph, nameIn(graph.outputs[name] ?? ''));
    mend(graph);
    return { code: CODE, field: `outputs.${name}` };
  }),
  mutation('a node reads an optional output that its node leaves out', ['invalid'], readersOfOptional, leaveOut),
  mutation('a node reads itself', ['invalid'], readersIn, (reader, random, graph) => {
    const values = outputsOf(graph).filter((value) => value.node === reader.node && isAlike(reader, value));
    return readsOneOf(values, reader, random, graph) ? at(reader) : null;
  }),
  mutation('a node reads a node that depends on it', ['invalid'], readersIn, (reader, random, graph) => {
    const behind = nodesBehind(reader.node, graph);
    const values = outputsOf(graph).filter((value) => behind.has(value.node ?? '') && isAlike(reader, value));
    return readsOneOf(values, reader, random, graph) ? 'changed' : null;
  }),
  // A join that reads a slice of its own output. In half of the cases no output needs either node.
  mutation('two nodes read each other', ['invalid'], copyable, (value, random, graph) => {
    const [join, slice] = [freshName(graph, 'join'), freshName(graph, 'slice')];
    const { dataType, sizes } = flatView(value.tensor);
    const inputTensors = [viewOf(value, { dataType, sizes }), `${slice}.outputTensor`];
    const outputTensor = { dataType, sizes: sizes.map((size) => 2 * size) };
    graph.nodes[join] = { type: 'join', axis: 0, inputTensors, outputTensor };
    const window = { inputWindowOffsets: [0], inputWindowSizes: sizes, inputWindowStrides: [1] };
    graph.nodes[slice] = { type: 'slice1', inputTensor: `${join}.outputTensor`, outputTensor: { dataType, sizes }, ...window };
    if (random.chance(0.5)) graph.outputs[freshName(graph, 'o')] = `${join}.outputTensor`;
    return 'changed';
  }),
  mutation('a required input is missing', ['invalid'], requiredReaders, ({ descriptor, slot, node }, random, graph) => {
    const isLeftOut = random.chance(0.5);
    if (isLeftOut) delete descriptor[slot.field];
    else setSlot(descriptor, slot, null);
    mend(graph);
    return isLeftOut ? { code: 'ERR_MISSING_FIELD', field: `nodes.${node}.${slot.field}` } : 'changed';
  }),
  mutation('an input is a description in place of a value', ['invalid'], requiredReaders, (reader, _random, graph) => {
    setSlot(reader.descriptor, reader.slot, readTensor(reader.reference, reader.value));
    mend(graph);
    return { ...at(reader), code: 'ERR_UNKNOWN_FIELD' };
  }),
  mutation('an output of a node is a value', ['invalid'], onlyOutputs, ({ node, slot }, random, graph) => {
    const leaves = leavesOf(graph);
    setSlot(node, slot, leaves.length === 0 ? 'nothing' : random.pick(leaves).name);
    return 'changed';
  }),
  otherSize('a node reads more or fewer bytes of a node', ['invalid'], outputsOf),
  otherSize('a node reads more or fewer bytes of an input', ['stricter', 'invalid'], leavesOf),
  mutation(
    'an output is a view of more or fewer bytes',
    ['stricter', 'invalid'],
    (graph) => outputNames(graph).filter((output) => valuesOf(graph).has(nameIn(graph.outputs[output] ?? ''))),
    (name, random, graph) => {
      const value = valuesOf(graph).get(nameIn(graph.outputs[name] ?? ''));
      if (value === undefined) return null;
      const [size = 1] = flatView(value.tensor).sizes;
      const sizes = [random.chance(0.5) ? size + random.int(8, 20) : Math.max(1, size - random.int(8, 20))];
      if (leastBytes({ ...value.tensor, sizes, strides: null }) === leastBytes(value.tensor)) return null;
      graph.outputs[name] = { value: value.name, sizes };
      return { code: 'ERR_TENSOR_SIZE', field: `outputs.${name}.sizes` };
    },
  ),
  otherType('a node reads another data type of a node', true),
  otherType('a node reads another data type of an input', false),
];

function outputNames({ outputs }: LooseGraph): string[] {
  return Object.keys(outputs);
}

function at({ node, slot }: Reader, field = ''): Mistake {
  return { code: CODE, field: `nodes.${node}.${slot.path}${field}` };
}

function refer(graph: LooseGraph, { descriptor, slot }: Reader, view: View): void {
  setSlot(descriptor, slot, view);
  mend(graph);
}

/** A name that is nearly the name of a value. */
function wrongName(random: Random, graph: LooseGraph, name: string): string {
  const values = valuesOf(graph);
  const start = name.slice(0, name.lastIndexOf('.'));
  const near = [`${name}x`, `${name}[7]`, name.slice(1), start, 'nothing', '', `${start}.inputTensor`];
  return random.pick(near.filter((wrong) => !values.has(wrong)));
}

/** Operators with another output. A node without any outputs would be wrong in itself. */
const INDEPENDENT: readonly OperatorType[] = ['rnn', 'gru', 'maxPooling1', 'maxPooling2', 'randomGenerator'];

function readersOfOptional(graph: LooseGraph): Reader[] {
  return readersIn(graph).filter(({ value }) => {
    const node = graph.nodes[value?.node ?? ''];
    if (node === undefined || value === undefined || !INDEPENDENT.includes(node.type)) return false;
    const outputs = slotsOf(node, 'output');
    const field = outputs.find(({ position }) => position === value.position)?.field;
    const isOptional = operatorTable[node.type].fields.some(({ name, optional }) => name === field && optional === true);
    return isOptional && outputs.filter((output) => isTensor(output.value)).length > 1;
  });
}

function leaveOut(chosen: Reader, random: Random, graph: LooseGraph): Mistake | 'changed' | null {
  const { value } = chosen;
  const node = graph.nodes[value?.node ?? ''];
  if (value === undefined || node === undefined) return null;
  const { name, position } = value;
  const readers = readersIn(graph).filter((reader) => reader.value?.name === name);
  for (const { descriptor, slot, tensor } of readers) setSlot(descriptor, slot, { value: name, as: tensor });
  for (const [output, reference] of Object.entries(graph.outputs)) if (nameIn(reference) === name) delete graph.outputs[output];
  const field = slotsOf(node, 'output')[position]?.field ?? '';
  if (random.chance(0.5)) node[field] = null;
  else delete node[field];
  mend(graph);
  return readers.length === 1 ? at(chosen) : 'changed';
}

/** A view of the value as the tensor that the reader describes. */
function viewOf(value: NamedValue, { dataType, sizes, strides }: LooseTensor): View {
  const view: View = { value: value.name, sizes, ...(strides === undefined || strides === null ? {} : { strides }) };
  return dataType === value.tensor.dataType ? view : { ...view, dataType };
}

/** Makes the reader name one of the values, as the tensor that it reads now; false if there are none. */
function readsOneOf(values: readonly NamedValue[], reader: Reader, random: Random, graph: LooseGraph): boolean {
  if (values.length === 0) return false;
  refer(graph, reader, viewOf(random.pick(values), reader.tensor));
  return true;
}

function isAlike({ tensor }: Reader, value: NamedValue): boolean {
  return tensor.dataType === value.tensor.dataType && leastBytes(tensor) === leastBytes(value.tensor);
}

/** The nodes that depend on a node, without the node itself. */
function nodesBehind(node: string, graph: LooseGraph): Set<string> {
  const readers = readersIn(graph);
  const behind = new Set([node]);
  for (const next of behind) for (const reader of readers) if (reader.value?.node === next) behind.add(reader.node);
  behind.delete(node);
  return behind;
}

function requiredReaders(graph: LooseGraph): Reader[] {
  return readersIn(graph).filter(({ descriptor, slot }) =>
    operatorTable[descriptor.type].fields.some(({ name, optional }) => name === slot.field && optional !== true),
  );
}

/** The output slots of nodes with a single output, which need it. */
function onlyOutputs({ nodes }: LooseGraph) {
  return Object.values(nodes).flatMap((node) => {
    const [slot, second] = slotsOf(node, 'output');
    return slot === undefined || second !== undefined || node.type === 'fillValueSequence' ? [] : [{ node, slot }];
  });
}

/** A reader that keeps its tensor, but names a value of another size. */
function otherSize(rule: string, expected: readonly Outcome[], from: (graph: LooseGraph) => NamedValue[]): GraphMutation {
  return mutation(rule, expected, readersIn, (reader, random, graph) => {
    const order = Object.keys(graph.nodes);
    const before = new Set(order.slice(0, order.indexOf(reader.node)));
    const values = from(graph).filter(
      ({ node, tensor: { dataType, flags } }) =>
        (node === null || before.has(node)) && dataType === reader.tensor.dataType && flags !== 'ownedByDml',
    );
    const others = values.filter((value) => !isAlike(reader, value));
    return readsOneOf(others, reader, random, graph) ? { ...at(reader, '.sizes'), code: 'ERR_TENSOR_SIZE' } : null;
  });
}

/** The reader takes the bytes of a new input of another data type, or of a copy of that input, as its own tensor. */
function otherType(rule: string, isCopied: boolean): GraphMutation {
  const find = (graph: LooseGraph) => readersIn(graph).filter(({ tensor }) => bytesPerElement(tensor.dataType) >= 1);
  return mutation(rule, ['stricter', 'invalid'], find, (reader, random, graph) => {
    const bytes = leastBytes(reader.tensor);
    const dataType = random.pick(VALUE_TYPES);
    if (dataType === reader.tensor.dataType || bytes % bytesPerElement(dataType) !== 0) return null;
    const tensor = { dataType, sizes: [bytes / bytesPerElement(dataType)] };
    const input = freshName(graph, 'other');
    graph.inputs[input] = tensor;
    const copy = freshName(graph, 'copy');
    // The copy comes first, so that it precedes the node that reads it.
    if (isCopied)
      graph.nodes = { [copy]: { type: 'tile', inputTensor: input, repeats: [1], outputTensor: tensor }, ...graph.nodes };
    const name = isCopied ? `${copy}.outputTensor` : input;
    refer(graph, reader, viewOf({ name, tensor, node: null, position: 0 }, reader.tensor));
    return { ...at(reader, '.dataType'), code: 'ERR_UNKNOWN_FIELD' };
  });
}
