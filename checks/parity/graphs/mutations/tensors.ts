/** Mutations of the tensors of a graph: padding, alignment, ownership, 4-bit layouts, and the operators themselves. */
import {
  readersIn,
  setSlot,
  valuesOf,
  type LooseGraph,
  type NamedValue,
  type Reader,
  type View,
} from '../../../graphs/loose-graph.js';
import { leastBytes, mutated, recurrent } from '../../../descriptors/candidate.js';
import { MUTATIONS } from '../../../descriptors/operators.js';
import { anyGraph, mutation, outcomes, type GraphMutation, type Mistake, type Outcome } from '../candidate.js';
import { contracted, expanded, freshName, outputsOf } from '../edit.js';

const ALIGNMENTS: readonly number[] = [16, 32, 256, 4096];

export const tensorMutations: readonly GraphMutation[] = [
  mutation('an output of a node is padded', ['stricter', 'invalid'], outputsOf, ({ name, tensor }, random) => {
    tensor.totalTensorSizeInBytes = leastBytes(tensor) + random.int(1, 64);
    return { code: 'ERR_TENSOR_SIZE', field: `nodes.${name}.totalTensorSizeInBytes` };
  }),
  paddedReader('a node reads more padding than its node writes', ['invalid'], readersOfOutputs),
  paddedReader('a node reads more padding than an input has', ['stricter', 'invalid'], readersOfLeaves),
  mutation('an output of a node is aligned', ['stricter', 'invalid'], outputsOf, ({ name, tensor }, random) => {
    tensor.guaranteedBaseOffsetAlignment = random.pick(ALIGNMENTS);
    return { code: 'ERR_FIELD_COMBINATION', field: `nodes.${name}.guaranteedBaseOffsetAlignment` };
  }),
  mutation('a node says that what it reads is aligned', ['stricter', 'invalid'], readersIn, (reader, random) =>
    say(reader, { guaranteedBaseOffsetAlignment: random.pick(ALIGNMENTS) }),
  ),
  mutation('an input is owned by DirectML', ['stricter', 'invalid'], inputsOf, ([name, tensor]) => {
    tensor.flags = 'ownedByDml';
    return { code: 'ERR_FIELD_COMBINATION', field: `inputs.${name}.flags` };
  }),
  mutation('an input or constant is owned for one of its readers', ['invalid'], readersOfShared, (reader) =>
    say(reader, { flags: reader.tensor.flags === 'ownedByDml' ? 'none' : 'ownedByDml' }),
  ),
  mutation('what a node writes is owned for its reader', ['invalid'], readersOfOutputs, (reader) =>
    say(reader, { flags: 'ownedByDml' }),
  ),
  mutation('rewritten: an owned constant of a recurrent operator', ['rewritten'], recurrentConstants, ({ tensor }) => {
    tensor.flags = 'ownedByDml';
    return 'changed';
  }),
  mutation('a 4-bit tensor that is not packed', ['invalid', 'stricter'], anyGraph, (graph, random) => {
    const strides = random.chance(0.5) ? [1, random.int(6, 8)] : [random.int(5, 9), 1];
    const [input, scale, node] = [freshName(graph, 'input'), freshName(graph, 'scale'), freshName(graph, 'quantization')];
    const isInput = random.chance(0.5);
    const wide = { dataType: 'float32' as const, sizes: [6, 4] };
    const strided = { dataType: random.pick(['int4', 'uint4'] as const), sizes: [6, 4], strides };
    graph.inputs[scale] = { dataType: 'float32', sizes: [1, 1] };
    graph.inputs[input] = isInput ? strided : wide;
    const fields = { inputTensor: input, quantizationType: 'scale', quantizationTensors: [scale] };
    graph.nodes[node] = { type: isInput ? 'dequantize' : 'quantize', ...fields, outputTensor: isInput ? wide : strided };
    graph.outputs[freshName(graph, 'o')] = `${node}.outputTensor`;
    return { code: 'ERR_STRIDES', field: `nodes.${node}.${isInput ? 'inputTensor' : 'outputTensor'}.strides` };
  }),
];

/** One of many mistakes: breaks a descriptor with the mutations of single operators. */
export const wrongOperator = mutation(
  'an operator is wrong',
  outcomes.filter((outcome) => outcome !== 'disagree' && outcome !== 'older'),
  ({ nodes }) => Object.entries(nodes),
  ([name, descriptor], random, graph) => {
    const values = valuesOf(graph);
    graph.nodes[name] = contracted(mutated(random, expanded(descriptor, values), MUTATIONS).descriptor, values);
    return 'changed';
  },
);

function paddedReader(rule: string, expected: readonly Outcome[], find: (graph: LooseGraph) => Reader[]): GraphMutation {
  return mutation(rule, expected, find, (reader, random) =>
    say(reader, { totalTensorSizeInBytes: (reader.tensor.totalTensorSizeInBytes ?? 0) + random.int(1, 64) }),
  );
}

/** Makes a reader describe more of the value. */
function say({ node, descriptor, slot, reference }: Reader, more: Partial<View>): Mistake {
  setSlot(descriptor, slot, { ...(typeof reference === 'string' ? { value: reference } : reference), ...more });
  return { code: 'ERR_UNKNOWN_FIELD', field: `nodes.${node}.${slot.path}.${Object.keys(more).join()}` };
}

function readersOfOutputs(graph: LooseGraph): Reader[] {
  const names = new Set(outputsOf(graph).map(({ name }) => name));
  return readersIn(graph).filter(({ value }) => names.has(value?.name ?? ''));
}

function readersOfLeaves(graph: LooseGraph): Reader[] {
  return readersIn(graph).filter(({ value }) => value?.node === null);
}

/** Readers of inputs and constants that have other readers, too. */
function readersOfShared(graph: LooseGraph): Reader[] {
  const readers = readersOfLeaves(graph);
  return readers.filter((one) => readers.some((other) => other !== one && other.value?.name === one.value?.name));
}

function inputsOf({ inputs }: LooseGraph) {
  return Object.entries(inputs);
}

function recurrentConstants(graph: LooseGraph): NamedValue[] {
  return readersIn(graph).flatMap(({ descriptor, value }) =>
    recurrent.includes(descriptor.type) && value !== undefined && value.name in graph.constants ? [value] : [],
  );
}
