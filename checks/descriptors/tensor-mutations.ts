/** Changes of the description of one tensor of any operator: mutations that break it, and changes that keep it valid. */
import type { Random } from '../harness/random.js';
import { bytesPerElement } from '../cases/case.js';
import { product, tensorSize } from '../cases/layout.js';
import {
  changeTensor,
  fieldsOf,
  isTensor,
  leastBytes,
  recurrent,
  repack,
  spanOf,
  type LooseTensor,
  type Mutation,
} from './candidate.js';

export const tensorMutations: readonly Mutation[] = [
  ['a size of zero', changeTensor((random, tensor) => setSize(random, tensor, 0))],
  [
    'huge sizes',
    changeTensor((random, tensor) => setSize(random, tensor, random.pick([2 ** 30, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1]))),
  ],
  ['no dimensions', changeTensor((_random, tensor) => Object.assign(tensor, { sizes: [], strides: null }))],
  ['output stride of zero', changeTensor((random, tensor) => setWideStride(random, tensor, () => 0), 'output')],
  ['output strides that overlap', changeTensor(overlap, 'output')],
  ['open: random output strides', changeTensor(setAnyStrides, 'output')],
  [
    'stride beyond 2^32 elements',
    changeTensor((random, tensor) =>
      setWideStride(random, tensor, (size) => random.pick([Math.ceil((2 ** 32 - 1) / (size - 1)), 2 ** 32 - 1])),
    ),
  ],
  [
    'total size too small',
    setField('totalTensorSizeInBytes', (random, tensor) => Math.max(0, leastBytes(tensor) - random.pick([1, 2, 4, 8]))),
  ],
  [
    'total size not rounded up',
    changeTensor((_random, tensor) => {
      if (exact(tensor) % 4 !== 0) tensor.totalTensorSizeInBytes = exact(tensor);
    }),
  ],
  ['total size of zero', setField('totalTensorSizeInBytes', () => 0)],
  [
    'total size beyond 2^32 elements',
    setField('totalTensorSizeInBytes', (random, tensor) =>
      random.pick([largestSize(tensor) + 1, largestSize(tensor) + 8, 2 ** 40, 2 ** 53 - 1]),
    ),
  ],
  [
    'base offset alignment',
    setField('guaranteedBaseOffsetAlignment', (random) => random.pick([1, 2, 3, 4, 8, 24, 48, 100, 2 ** 31 + 16])),
  ],
  ['output owned by DirectML', setField('flags', () => 'ownedByDml', 'output')],
  ['open: input owned by DirectML', setField('flags', () => 'ownedByDml', 'input')],
  [
    'null tensor',
    (random, descriptor) => {
      const required = fieldsOf(descriptor).filter(({ name, optional }) => optional !== true && isTensor(descriptor[name]));
      if (required.length > 0) descriptor[random.pick(required).name] = null;
    },
  ],
];

/** Like `changeTensor`, but never changes `pastSequenceLengthsTensor`, which DirectML requires to be packed. */
function changeLayout(...args: Parameters<typeof changeTensor>): Mutation[1] {
  const change = changeTensor(...args);
  return (random, descriptor) => {
    const { pastSequenceLengthsTensor: _packedAlways, ...others } = descriptor;
    change(random, others);
  };
}

export const validChanges: readonly Mutation[] = [
  ['valid, strides in any order, with gaps', changeLayout((random, tensor) => setStrides(tensor, spread(random, tensor.sizes)))],
  ['valid, input strides that overlap', changeLayout(setAnyStrides, 'input')],
  ['valid, packed strides written out', setField('strides', (_random, { strides, sizes }) => strides ?? packed(sizes))],
  [
    'valid, total size larger',
    setField('totalTensorSizeInBytes', (random, tensor) =>
      random.pick([tensorSize(tensor) + random.int(1, 64), 2 ** 30, largestSize(tensor)]),
    ),
  ],
  ['valid, huge stride', changeLayout((random, tensor) => setWideStride(random, tensor, (size) => Math.floor(2 ** 31 / size)))],
  [
    'valid, base offset alignment',
    setField('guaranteedBaseOffsetAlignment', (random) => random.pick([16, 32, 64, 256, 4096, 2 ** 31])),
  ],
  [
    'valid, input owned by DirectML',
    (random, descriptor) => {
      if (!recurrent.includes(descriptor.type)) setField('flags', () => 'ownedByDml', 'input')(random, descriptor);
    },
  ],
];

/** A mutation that sets one field of a tensor. */
function setField<Name extends keyof LooseTensor>(
  name: Name,
  valueOf: (random: Random, tensor: LooseTensor) => LooseTensor[Name],
  role?: 'input' | 'output',
): Mutation[1] {
  return changeTensor((random, tensor) => (tensor[name] = valueOf(random, tensor)), role);
}

/** The bytes of 2³² − 1 elements, the most that DirectML can count. */
function largestSize({ dataType }: LooseTensor): number {
  return Math.floor((2 ** 32 - 1) * bytesPerElement(dataType));
}

function setStrides(tensor: LooseTensor, strides: readonly number[]): void {
  tensor.strides = [...strides];
  delete tensor.totalTensorSizeInBytes;
}

function setAnyStrides(random: Random, tensor: LooseTensor): void {
  setStrides(
    tensor,
    tensor.sizes.map(() => random.int(1, 12)),
  );
}

function packed(sizes: readonly number[]): number[] {
  return sizes.map((_, axis) => product(sizes.slice(axis + 1)));
}

function setSize(random: Random, tensor: LooseTensor, size: number): void {
  repack(tensor, tensor.sizes.with(random.int(0, tensor.sizes.length - 1), size));
}

/** Sets the stride of an axis with more than one element; other strides have no effect. */
export function setWideStride(random: Random, tensor: LooseTensor, strideOf: (size: number) => number): void {
  const wide = wideAxes(tensor);
  if (wide.length === 0) return;
  const axis = random.pick(wide);
  const strides = tensor.strides ?? packed(tensor.sizes);
  setStrides(tensor, strides.with(axis, strideOf(tensor.sizes[axis] ?? 2)));
}

/** Gives two axes the same stride, so that their second elements share memory. */
function overlap(random: Random, tensor: LooseTensor): void {
  const wide = wideAxes(tensor);
  const [a, b] = random.distinct(wide.length, wide.length).map((i) => wide[i]);
  if (a === undefined || b === undefined) return;
  const strides = tensor.strides ?? packed(tensor.sizes);
  setStrides(tensor, strides.with(a, strides[b] ?? 1));
}

function wideAxes({ sizes }: LooseTensor): number[] {
  return sizes.flatMap((size, axis) => (size > 1 ? [axis] : []));
}

/** The bytes up to the end of the last element, not rounded up. */
function exact(tensor: LooseTensor): number {
  return Math.ceil(spanOf(tensor) * bytesPerElement(tensor.dataType));
}

/** Strides with which no two elements share memory. */
function spread(random: Random, sizes: readonly number[]): number[] {
  const strides = [...sizes];
  let stride = 1;
  for (const axis of random.distinct(sizes.length, sizes.length)) {
    strides[axis] = stride;
    stride = stride * (sizes[axis] ?? 1) + random.int(0, 3);
  }
  return strides;
}
