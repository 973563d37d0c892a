/** Changes of the description of one tensor of any operator: mutations that break it, and changes that keep it valid. */
import type { Random } from '../random.js';
import { bytesPerElement } from '../conformance/case.js';
import { product, sizeInBytes, tensorSize } from '../conformance/layout.js';
import { changeTensor, fieldsOf, isTensor, type LooseDescriptor, type LooseTensor, type Mutation } from './candidate.js';

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
    changeTensor((random, tensor) => {
      tensor.totalTensorSizeInBytes = Math.max(0, needed(tensor) - random.pick([1, 2, 4, 8]));
    }),
  ],
  [
    'total size not rounded up',
    changeTensor((_random, tensor) => {
      if (exact(tensor) % 4 !== 0) tensor.totalTensorSizeInBytes = exact(tensor);
    }),
  ],
  ['total size of zero', changeTensor((_random, tensor) => (tensor.totalTensorSizeInBytes = 0))],
  [
    'total size beyond 2^32 elements',
    changeTensor((random, tensor) => {
      const most = largestSize(tensor);
      tensor.totalTensorSizeInBytes = random.pick([most + 1, most + 8, 2 ** 40, 2 ** 53 - 1]);
    }),
  ],
  [
    'base offset alignment',
    changeTensor((random, tensor) => {
      tensor.guaranteedBaseOffsetAlignment = random.pick([1, 2, 3, 4, 8, 24, 48, 100, 2 ** 31 + 16]);
    }),
  ],
  ['output owned by DirectML', changeTensor((_random, tensor) => (tensor.flags = 'ownedByDml'), 'output')],
  ['open: input owned by DirectML', ownInput],
  [
    'null tensor',
    (random, descriptor) => {
      const required = fieldsOf(descriptor).filter(({ name, optional }) => optional !== true && isTensor(descriptor[name]));
      if (required.length > 0) descriptor[random.pick(required).name] = null;
    },
  ],
];

/** Operators of whose tensors DirectML takes no ownership. */
const OWN_NOTHING: ReadonlySet<string> = new Set(['rnn', 'gru', 'lstm']);

/** Like `changeTensor`, but never changes `pastSequenceLengthsTensor`, which DirectML requires to be packed. */
function changeLayout(...args: Parameters<typeof changeTensor>): ReturnType<typeof changeTensor> {
  const change = changeTensor(...args);
  return (random, descriptor) => {
    const { pastSequenceLengthsTensor: _packedAlways, ...others } = descriptor;
    change(random, others);
  };
}

export const validChanges: readonly Mutation[] = [
  ['valid, strides in any order, with gaps', changeLayout((random, tensor) => setStrides(tensor, spread(random, tensor.sizes)))],
  ['valid, input strides that overlap', changeLayout(setAnyStrides, 'input')],
  [
    'valid, packed strides written out',
    changeTensor((_random, tensor) => {
      tensor.strides ??= packed(tensor.sizes);
    }),
  ],
  [
    'valid, total size larger',
    changeTensor((random, tensor) => {
      const larger = [tensorSize(tensor) + random.int(1, 64), 2 ** 30, largestSize(tensor)];
      tensor.totalTensorSizeInBytes = random.pick(larger);
    }),
  ],
  ['valid, huge stride', changeLayout((random, tensor) => setWideStride(random, tensor, (size) => Math.floor(2 ** 31 / size)))],
  [
    'valid, base offset alignment',
    changeTensor((random, tensor) => {
      tensor.guaranteedBaseOffsetAlignment = random.pick([16, 32, 64, 256, 4096, 2 ** 31]);
    }),
  ],
  [
    'valid, input owned by DirectML',
    (random, descriptor) => {
      if (!OWN_NOTHING.has(descriptor.type)) ownInput(random, descriptor);
    },
  ],
];

/** The bytes of 2³² − 1 elements, the most that DirectML can count. */
function largestSize({ dataType }: LooseTensor): number {
  return Math.floor((2 ** 32 - 1) * bytesPerElement(dataType));
}

function ownInput(random: Random, descriptor: LooseDescriptor): void {
  changeTensor((_random, tensor) => (tensor.flags = 'ownedByDml'), 'input')(random, descriptor);
}

function setStrides(tensor: LooseTensor, strides: readonly number[]): void {
  tensor.strides = [...strides];
  delete tensor.totalTensorSizeInBytes;
}

function setAnyStrides(random: Random, tensor: LooseTensor): void {
  const strides = tensor.sizes.map(() => random.int(1, 12));
  setStrides(tensor, strides);
}

function packed(sizes: readonly number[]): number[] {
  return sizes.map((_, axis) => product(sizes.slice(axis + 1)));
}

function setSize(random: Random, tensor: LooseTensor, size: number): void {
  tensor.sizes = tensor.sizes.with(random.int(0, tensor.sizes.length - 1), size);
  delete tensor.strides;
  delete tensor.totalTensorSizeInBytes;
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

function needed(tensor: LooseTensor): number {
  return sizeInBytes(tensor.dataType, tensor.sizes, tensor.strides ?? null);
}

/** The bytes up to the end of the last element, not rounded up. */
function exact(tensor: LooseTensor): number {
  const strides = tensor.strides ?? packed(tensor.sizes);
  const last = tensor.sizes.reduce((offset, size, axis) => offset + (size - 1) * (strides[axis] ?? 0), 0);
  return Math.ceil((last + 1) * bytesPerElement(tensor.dataType));
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
