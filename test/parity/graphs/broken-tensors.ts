/** Mutations of the tensors of a graph: padding, alignment, ownership, 4-bit layouts, and the operators themselves. */
import type { Random } from '../../random.js';
import { mutated, type LooseDescriptor } from '../candidate.js';
import { fieldMutations } from '../field-mutations.js';
import { fusionMutation } from '../fusion.js';
import { tensorMutations } from '../tensor-mutations.js';
import { outcomes, type GraphMutation, type LooseGraph, type Mistake, type View } from './candidate.js';
import { contracted, expanded, freshName, leavesOf, outputsOf, pickFrom, readersIn, type Reader } from './edit.js';
import { recurrent } from './generate.js';
import { leastBytes, setSlot, valuesOf } from './values.js';

const agreed = outcomes.filter((outcome) => outcome !== 'disagree' && outcome !== 'older');

export const brokenTensors: readonly GraphMutation[] = [
  { rule: 'an output of a node is padded', expected: ['stricter', 'invalid'], change: paddedOutput },
  { rule: 'a node reads more padding than its node writes', expected: ['invalid'], change: paddedReader(true) },
  { rule: 'a node reads more padding than an input has', expected: ['stricter', 'invalid'], change: paddedReader(false) },
  { rule: 'an output of a node is aligned', expected: ['stricter', 'invalid'], change: alignedOutput },
  { rule: 'a node says that what it reads is aligned', expected: ['stricter', 'invalid'], change: alignedReader },
  { rule: 'an input is owned by DirectML', expected: ['stricter', 'invalid'], change: ownedInput },
  { rule: 'an input or constant is owned for one of its readers', expected: ['invalid'], change: ownedForOne },
  { rule: 'what a node writes is owned for its reader', expected: ['invalid'], change: ownedInside },
  { rule: 'rewritten: an owned constant of a recurrent operator', expected: ['rewritten'], change: ownedByRecurrent },
  { rule: 'a 4-bit tensor that is not packed', expected: ['invalid', 'stricter'], change: stridedFourBits },
];

/** It stands for many mistakes. */
export const wrongOperator: GraphMutation = { rule: 'an operator is wrong', expected: agreed, change: breakOperator };

function view(reader: Reader): View {
  return typeof reader.reference === 'string' ? { value: reader.reference } : { ...reader.reference };
}

function paddedOutput(random: Random, graph: LooseGraph): Mistake | null {
  const value = pickFrom(random, outputsOf(graph));
  if (value === undefined) return null;
  value.tensor.totalTensorSizeInBytes = leastBytes(value.tensor) + random.int(1, 64);
  return { code: 'ERR_TENSOR_SIZE', field: `nodes.${value.name}.totalTensorSizeInBytes` };
}

function paddedReader(isInside: boolean): GraphMutation['change'] {
  return (random, graph) => {
    const values = new Set((isInside ? outputsOf(graph) : leavesOf(graph)).map(({ name }) => name));
    const reader = pickFrom(random, readersIn(graph), ({ value }) => values.has(value?.name ?? ''));
    if (reader === undefined) return null;
    const totalTensorSizeInBytes = (reader.tensor.totalTensorSizeInBytes ?? leastBytes(reader.tensor)) + random.int(1, 64);
    setSlot(reader.descriptor, reader.slot, { ...view(reader), totalTensorSizeInBytes });
    return { code: 'ERR_UNKNOWN_FIELD', field: `nodes.${reader.node}.${reader.slot.path}.totalTensorSizeInBytes` };
  };
}

const ALIGNMENTS: readonly number[] = [16, 32, 256, 4096];

function alignedOutput(random: Random, graph: LooseGraph): Mistake | null {
  const value = pickFrom(random, outputsOf(graph));
  if (value === undefined) return null;
  value.tensor.guaranteedBaseOffsetAlignment = random.pick(ALIGNMENTS);
  return { code: 'ERR_FIELD_COMBINATION', field: `nodes.${value.name}.guaranteedBaseOffsetAlignment` };
}

function alignedReader(random: Random, graph: LooseGraph): Mistake | null {
  const reader = pickFrom(random, readersIn(graph));
  if (reader === undefined) return null;
  const guaranteedBaseOffsetAlignment = random.pick(ALIGNMENTS);
  setSlot(reader.descriptor, reader.slot, { ...view(reader), guaranteedBaseOffsetAlignment });
  return { code: 'ERR_UNKNOWN_FIELD', field: `nodes.${reader.node}.${reader.slot.path}.guaranteedBaseOffsetAlignment` };
}

function ownedInput(random: Random, graph: LooseGraph): Mistake | null {
  const name = pickFrom(random, Object.keys(graph.inputs));
  const tensor = graph.inputs[name ?? ''];
  if (name === undefined || tensor === undefined) return null;
  tensor.flags = 'ownedByDml';
  return { code: 'ERR_FIELD_COMBINATION', field: `inputs.${name}.flags` };
}

function ownedForOne(random: Random, graph: LooseGraph): Mistake | null {
  const readers = readersIn(graph).filter(({ value }) => value?.node === null);
  const reader = pickFrom(
    random,
    readers,
    ({ value }) => readers.filter((other) => other.value?.name === value?.name).length > 1,
  );
  if (reader === undefined) return null;
  const flags = reader.tensor.flags === 'ownedByDml' ? 'none' : 'ownedByDml';
  setSlot(reader.descriptor, reader.slot, { ...view(reader), flags });
  return { code: 'ERR_UNKNOWN_FIELD', field: `nodes.${reader.node}.${reader.slot.path}.flags` };
}

function ownedInside(random: Random, graph: LooseGraph): Mistake | null {
  const reader = pickFrom(random, readersIn(graph), ({ value }) => outputsOf(graph).some(({ name }) => name === value?.name));
  if (reader === undefined) return null;
  setSlot(reader.descriptor, reader.slot, { ...view(reader), flags: 'ownedByDml' });
  return { code: 'ERR_UNKNOWN_FIELD', field: `nodes.${reader.node}.${reader.slot.path}.flags` };
}

function ownedByRecurrent(random: Random, graph: LooseGraph): 'changed' | null {
  const reader = pickFrom(random, readersIn(graph), ({ descriptor, value }) => {
    return recurrent.includes(descriptor.type) && graph.constants[value?.name ?? ''] !== undefined;
  });
  const constant = graph.constants[reader?.value?.name ?? ''];
  if (constant === undefined) return null;
  constant.flags = 'ownedByDml';
  return 'changed';
}

function stridedFourBits(random: Random, graph: LooseGraph): Mistake {
  const strides = random.chance(0.5) ? [1, random.int(6, 8)] : [random.int(5, 9), 1];
  const whole = { sizes: [6, 4] };
  const input = freshName(graph, 'input');
  const scale = freshName(graph, 'scale');
  const node = freshName(graph, 'quantization');
  const dataType = random.pick(['int4', 'uint4'] as const);
  const isInput = random.chance(0.5);
  graph.inputs[scale] = { dataType: 'float32', sizes: [1, 1] };
  graph.inputs[input] = isInput ? { dataType, ...whole, strides } : { dataType: 'float32', ...whole };
  graph.nodes[node] = {
    type: isInput ? 'dequantize' : 'quantize',
    inputTensor: input,
    quantizationType: 'scale',
    quantizationTensors: [scale],
    outputTensor: isInput ? { dataType: 'float32', ...whole } : { dataType, ...whole, strides },
  };
  graph.outputs[freshName(graph, 'o')] = `${node}.outputTensor`;
  return { code: 'ERR_STRIDES', field: `nodes.${node}.${isInput ? 'inputTensor' : 'outputTensor'}.strides` };
}

/** A descriptor that is broken as those of the comparison of single operators are. */
function breakOperator(random: Random, graph: LooseGraph): 'changed' | null {
  const name = random.pick(Object.keys(graph.nodes));
  const descriptor = graph.nodes[name];
  if (descriptor === undefined) return null;
  const values = valuesOf(graph);
  const mutations = [...fieldMutations, ...fieldMutations, ...tensorMutations, fusionMutation];
  const changed: LooseDescriptor = mutated(random, expanded(descriptor, values), mutations).descriptor;
  graph.nodes[name] = contracted(changed, values);
  return 'changed';
}
