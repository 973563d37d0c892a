/** Mutations of ScatterND, whose tensors follow from each other in more ways than those of other operators. */
import { ones, product } from '../cases/layout.js';
import type { Random } from '../harness/random.js';
import { repack, tensorsOf, type LooseDescriptor, type LooseTensor, type Mutation } from './candidate.js';
import { setWideStride } from './tensor-mutations.js';

type Tensors = Readonly<Record<'input' | 'indices' | 'updates' | 'output', LooseTensor>>;

export const scatterNdMutations: readonly Mutation[] = [
  ['broadcast indices', change((random, { indices }) => setWideStride(random, indices, () => 0))],
  [
    '4-bit values',
    change((random, { input, updates, output }) => {
      const dataType = random.pick(['uint4', 'int4'] as const);
      for (const tensor of [input, updates, output]) repack(tensor, tensor.sizes, dataType);
    }),
  ],
  [
    'input and output size',
    change((random, { input, output }) => {
      const axis = random.int(0, input.sizes.length - 1);
      const sizes = input.sizes.with(axis, Math.max(1, (input.sizes[axis] ?? 1) + random.pick([-1, 1, 2])));
      for (const tensor of [input, output]) repack(tensor, sizes);
    }),
  ],
  [
    'updates shape permuted',
    changeUpdates((sizes, random) => random.distinct(sizes.length, sizes.length).map((i) => sizes[i] ?? 1)),
  ],
  ['updates left-aligned', changeUpdates((sizes) => leftAligned(sizes))],
  ['updates flattened', changeUpdates((sizes) => [...ones(sizes.length - 1), product(sizes)])],
  [
    'both counts',
    (random, descriptor) => {
      for (const name of ['inputDimensionCount', 'indicesDimensionCount']) descriptor[name] = random.int(0, 9);
    },
  ],
  [
    'tuple longer than inputDimensionCount',
    change((random, { indices }, descriptor) => {
      repack(indices, indices.sizes.with(-1, Number(descriptor['inputDimensionCount']) + random.int(1, 2)));
    }),
  ],
];

/** True for indices with tuples longer than `inputDimensionCount`, which kill DirectML. */
export function isDeadly(descriptor: LooseDescriptor): boolean {
  if (descriptor.type !== 'scatterNd') return false;
  const [, indices] = tensorsOf(descriptor);
  return (indices?.sizes.at(-1) ?? 0) > Number(descriptor['inputDimensionCount']);
}

function change(mutate: (random: Random, tensors: Tensors, descriptor: LooseDescriptor) => void): Mutation[1] {
  return (random, descriptor) => {
    const [input, indices, updates, output] = tensorsOf(descriptor);
    if (input && indices && updates && output) mutate(random, { input, indices, updates, output }, descriptor);
  };
}

function changeUpdates(sizesOf: (sizes: readonly number[], random: Random) => number[]): Mutation[1] {
  return change((random, { updates }) => repack(updates, sizesOf(updates.sizes, random)));
}

function leftAligned(sizes: readonly number[]): number[] {
  const first = sizes.findIndex((size) => size !== 1);
  return first <= 0 ? [...sizes] : [...sizes.slice(first), ...ones(first)];
}
