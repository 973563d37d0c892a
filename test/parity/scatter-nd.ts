/**
 * Random ScatterND descriptors: valid by construction, or with one rule of the specification broken. The name of a mutation
 * says what was changed, not what the verdict must be: only DirectML can tell.
 */
import type { TensorDesc } from 'node-directml';
import type { Random } from '../random.js';
import { INDEX_TYPES, VALUE_TYPES, type DataType } from '../conformance/case.js';
import { ones, product, randomSizes, randomTensor, sizeInBytes } from '../conformance/layout.js';
import { halfBroken } from './any-operator.js';
import { repack, type Candidate, type LooseDescriptor, type LooseTensor, type Mutation } from './candidate.js';
import { setWideStride, tensorMutations } from './tensor-mutations.js';

interface ScatterNd extends LooseDescriptor {
  inputTensor: LooseTensor;
  indicesTensor: LooseTensor;
  updatesTensor: LooseTensor;
  outputTensor: LooseTensor;
  inputDimensionCount: number;
  indicesDimensionCount: number;
}

const TENSORS = ['inputTensor', 'indicesTensor', 'updatesTensor', 'outputTensor'] as const;

export function scatterNdCandidate(random: Random): Candidate {
  // These kill DirectML. Each takes seconds, because the process that holds the DLL has to be restarted.
  if (random.chance(0.0025)) return { rule: 'tuple longer than inputDimensionCount', descriptor: longTuple(random) };
  return halfBroken(random, validScatterNd(random), MUTATIONS);
}

function validScatterNd(random: Random): ScatterNd {
  const rank = random.int(1, 8);
  const inputRank = random.int(1, rank);
  const sizes = [...ones(rank - inputRank), ...randomSizes(random, inputRank, 600)];
  const tupleSize = random.int(1, inputRank);
  const slice = sizes.slice(rank - inputRank + tupleSize);
  const indicesRank = random.int(1, Math.min(rank, rank - slice.length + 1));
  const tuples = randomSizes(random, indicesRank - 1, 50);
  const dataType = random.pick(VALUE_TYPES);
  return {
    type: 'scatterNd',
    inputTensor: loose(randomTensor(random, dataType, sizes, 'input')),
    indicesTensor: loose(
      randomTensor(
        random,
        random.pick(INDEX_TYPES),
        [...ones(rank - indicesRank), ...tuples, tupleSize],
        // DirectML refuses indices with a stride of 0, so they have the layout of an output.
        'output',
      ),
    ),
    updatesTensor: loose(
      randomTensor(random, dataType, [...ones(rank - tuples.length - slice.length), ...tuples, ...slice], 'input'),
    ),
    outputTensor: loose(randomTensor(random, dataType, sizes, 'output')),
    inputDimensionCount: inputRank,
    indicesDimensionCount: indicesRank,
  };
}

const OWN_MUTATIONS: readonly (readonly [string, (random: Random, descriptor: ScatterNd) => void])[] = [
  ['indices data type', (random, d) => (d.indicesTensor.dataType = random.pick(VALUE_TYPES))],
  ['broadcast indices', (random, d) => setWideStride(random, d.indicesTensor, () => 0)],
  ['indices of FLOAT32', (_random, d) => (d.indicesTensor.dataType = 'float32')],
  ['updates data type', (random, d) => retype(d.updatesTensor, random.pick(VALUE_TYPES))],
  ['output data type', (random, d) => retype(d.outputTensor, random.pick(VALUE_TYPES))],
  ['input data type', (random, d) => retype(d.inputTensor, random.pick(VALUE_TYPES))],
  ['4-bit values', (random, d) => fourBits(d, random.pick(['uint4', 'int4']))],
  ['updates size', (random, d) => resize(random, d.updatesTensor)],
  ['indices size', (random, d) => safely(d, () => resize(random, d.indicesTensor))],
  ['output size', (random, d) => resize(random, d.outputTensor)],
  ['input size', (random, d) => resize(random, d.inputTensor)],
  [
    'input and output size',
    (random, d) => {
      resize(random, d.inputTensor);
      d.outputTensor = { dataType: d.outputTensor.dataType, sizes: [...d.inputTensor.sizes] };
    },
  ],
  ['updates shape permuted', (random, d) => repack(d.updatesTensor, shuffled(random, d.updatesTensor.sizes))],
  ['updates left-aligned', (_random, d) => repack(d.updatesTensor, leftAligned(d.updatesTensor.sizes))],
  ['updates flattened', (_random, d) => repack(d.updatesTensor, flattened(d.updatesTensor.sizes))],
  ['inputDimensionCount', (random, d) => safely(d, () => (d.inputDimensionCount = random.int(0, 9)))],
  ['inputDimensionCount is zero', (_random, d) => safely(d, () => (d.inputDimensionCount = 0))],
  ['inputDimensionCount beyond rank', (random, d) => (d.inputDimensionCount = d.inputTensor.sizes.length + random.int(1, 3))],
  ['indicesDimensionCount', (random, d) => (d.indicesDimensionCount = random.int(0, 9))],
  ['indicesDimensionCount beyond rank', (random, d) => (d.indicesDimensionCount = d.inputTensor.sizes.length + random.int(1, 3))],
  [
    'both counts',
    (random, d) =>
      safely(d, () => {
        d.inputDimensionCount = random.int(0, 9);
        d.indicesDimensionCount = random.int(0, 9);
      }),
  ],
  [
    'huge count',
    (random, d) => {
      const field = random.pick(['inputDimensionCount', 'indicesDimensionCount'] as const);
      d[field] = random.pick([0xffffffff, 0x80000000, 0x7fffffff, 256]);
    },
  ],
  [
    'leading size of input',
    (random, d) =>
      safely(d, () => {
        const axis = d.inputTensor.sizes.length - d.inputDimensionCount - 1;
        if (axis < 0) return;
        const sizes = d.inputTensor.sizes.with(axis, random.int(2, 3));
        repack(d.inputTensor, sizes);
        repack(d.outputTensor, sizes);
      }),
  ],
  [
    'leading size of indices',
    (random, d) => {
      const axis = d.indicesTensor.sizes.length - d.indicesDimensionCount - 1;
      if (axis >= 0) repack(d.indicesTensor, d.indicesTensor.sizes.with(axis, random.int(2, 3)));
    },
  ],
  [
    'dimension count of one tensor',
    (random, d) => {
      const tensor = d[random.pick(TENSORS.filter((name) => name !== 'indicesTensor'))];
      repack(tensor, random.chance(0.5) ? [1, ...tensor.sizes] : tensor.sizes.slice(1));
    },
  ],
  ['dimension count of indices', (_random, d) => repack(d.indicesTensor, [1, ...d.indicesTensor.sizes])],
  [
    'nine dimensions',
    (_random, d) => {
      for (const name of TENSORS) repack(d[name], [...ones(9 - d[name].sizes.length), ...d[name].sizes]);
    },
  ],
];

const MUTATIONS: readonly Mutation<ScatterNd>[] = [...OWN_MUTATIONS, ...OWN_MUTATIONS, ...tensorMutations];

function longTuple(random: Random): ScatterNd {
  const descriptor = validScatterNd(random);
  const { inputTensor, indicesTensor } = descriptor;
  descriptor.inputDimensionCount = random.int(1, inputTensor.sizes.length);
  repack(indicesTensor, indicesTensor.sizes.with(-1, descriptor.inputDimensionCount + random.int(1, 2)));
  return descriptor;
}

/** Undoes a change that would make the tuple longer than `inputDimensionCount`. */
function safely(descriptor: ScatterNd, change: () => void): void {
  const { inputDimensionCount, indicesTensor } = descriptor;
  const before = { ...indicesTensor };
  change();
  const tupleSize = descriptor.indicesTensor.sizes.at(-1) ?? 1;
  if (tupleSize <= descriptor.inputDimensionCount) return;
  descriptor.inputDimensionCount = inputDimensionCount;
  descriptor.indicesTensor = before;
}

function loose(tensor: TensorDesc): LooseTensor {
  return { ...tensor, sizes: [...tensor.sizes] };
}

function retype(tensor: LooseTensor, dataType: DataType): void {
  tensor.dataType = dataType;
  if (tensor.totalTensorSizeInBytes !== undefined) {
    tensor.totalTensorSizeInBytes = sizeInBytes(dataType, tensor.sizes, tensor.strides ?? null);
  }
}

function fourBits(descriptor: ScatterNd, dataType: DataType): void {
  for (const name of TENSORS) if (name !== 'indicesTensor') repack(descriptor[name], descriptor[name].sizes, dataType);
}

function resize(random: Random, tensor: LooseTensor): void {
  const axis = random.int(0, tensor.sizes.length - 1);
  const size = tensor.sizes[axis] ?? 1;
  repack(tensor, tensor.sizes.with(axis, Math.max(1, size + random.pick([-1, 1, 2]))));
}

function shuffled(random: Random, sizes: readonly number[]): number[] {
  return random.distinct(sizes.length, sizes.length).map((axis) => sizes[axis] ?? 1);
}

function leftAligned(sizes: readonly number[]): number[] {
  const first = sizes.findIndex((size) => size !== 1);
  return first <= 0 ? [...sizes] : [...sizes.slice(first), ...ones(first)];
}

function flattened(sizes: readonly number[]): number[] {
  return [...ones(sizes.length - 1), product(sizes)];
}
