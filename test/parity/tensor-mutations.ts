/** Ways to break one tensor description, whatever the operator. */
import type { Random } from '../random.js';
import { BYTES } from '../conformance/case.js';
import { product, sizeInBytes } from '../conformance/layout.js';
import { isTensor, type LooseDescriptor, type LooseTensor, type Mutation } from './candidate.js';

export function tensorMutations<T extends LooseDescriptor>(
  names: readonly (keyof T & string)[],
  output: keyof T & string,
): Mutation<T>[] {
  const change =
    (mutate: (random: Random, tensor: LooseTensor) => void, only?: keyof T & string) =>
    (random: Random, descriptor: T): void => {
      const tensor: unknown = descriptor[only ?? random.pick(names)];
      if (isTensor(tensor)) mutate(random, tensor);
    };
  return [
    ['a size of zero', change((random, tensor) => setSize(random, tensor, 0))],
    [
      'huge sizes',
      change((random, tensor) =>
        setSize(random, tensor, random.pick([0x7fffffff, 0xffffffff, 2 ** 30, 2 ** 31])),
      ),
    ],
    ['no dimensions', change((_random, tensor) => Object.assign(tensor, { sizes: [], strides: null }))],
    ['output stride of zero', change((random, tensor) => setStride(random, tensor, () => 0), output)],
    [
      'output strides that overlap',
      change((random, tensor) => setStride(random, tensor, () => random.int(1, 3)), output),
    ],
    ['strides that overlap', change((random, tensor) => setStride(random, tensor, () => random.int(0, 4)))],
    [
      'padded stride',
      change((random, tensor) => setStride(random, tensor, (stride) => stride + random.int(1, 4))),
    ],
    [
      'random strides',
      change((random, tensor) =>
        setStrides(
          tensor,
          tensor.sizes.map(() => random.int(0, 12)),
        ),
      ),
    ],
    [
      'random output strides',
      change(
        (random, tensor) =>
          setStrides(
            tensor,
            tensor.sizes.map(() => random.int(1, 12)),
          ),
        output,
      ),
    ],
    [
      'permuted strides',
      change((random, tensor) => {
        const strides = packed(tensor.sizes);
        setStrides(
          tensor,
          random.distinct(strides.length, strides.length).map((axis) => strides[axis] ?? 1),
        );
      }),
    ],
    [
      'huge stride',
      change((random, tensor) =>
        setStride(random, tensor, () => random.pick([2 ** 28, 2 ** 30, 0x7fffffff, 0xffffffff])),
      ),
    ],
    [
      'total size too small',
      change((random, tensor) => {
        tensor.totalTensorSizeInBytes = Math.max(0, needed(tensor) - random.pick([1, 2, 4, 8]));
      }),
    ],
    [
      'total size not rounded up',
      change((_random, tensor) => {
        tensor.totalTensorSizeInBytes = Math.max(0, exact(tensor));
      }),
    ],
    ['total size of zero', change((_random, tensor) => (tensor.totalTensorSizeInBytes = 0))],
    [
      'total size larger',
      change((random, tensor) => (tensor.totalTensorSizeInBytes = needed(tensor) + random.int(1, 64))),
    ],
    [
      'total size huge',
      change(
        (random, tensor) =>
          (tensor.totalTensorSizeInBytes = random.pick([
            2 ** 31,
            2 ** 32 - 4,
            2 ** 32,
            2 ** 40,
            2 ** 53 - 1,
          ])),
      ),
    ],
    [
      'base offset alignment',
      change(
        (random, tensor) =>
          (tensor.guaranteedBaseOffsetAlignment = random.pick([
            0, 1, 2, 3, 4, 8, 16, 24, 32, 48, 64, 100, 256, 4096, 0x80000000,
          ])),
      ),
    ],
    ['owned by DirectML', change((_random, tensor) => (tensor.flags = 'ownedByDml'))],
    ['null tensor', (random, descriptor) => Object.assign(descriptor, { [random.pick(names)]: null })],
  ];
}

function setSize(random: Random, tensor: LooseTensor, size: number): void {
  tensor.sizes = tensor.sizes.with(random.int(0, tensor.sizes.length - 1), size);
  delete tensor.strides;
  delete tensor.totalTensorSizeInBytes;
}

function setStride(random: Random, tensor: LooseTensor, change: (stride: number) => number): void {
  const strides = tensor.strides ?? packed(tensor.sizes);
  const wide = tensor.sizes.flatMap((size, axis) => (size > 1 ? [axis] : []));
  const axis = wide.length > 0 && random.chance(0.8) ? random.pick(wide) : random.int(0, strides.length - 1);
  setStrides(tensor, strides.with(axis, change(strides[axis] ?? 1)));
}

function setStrides(tensor: LooseTensor, strides: readonly number[]): void {
  tensor.strides = [...strides];
  delete tensor.totalTensorSizeInBytes;
}

function packed(sizes: readonly number[]): number[] {
  return sizes.map((_, axis) => product(sizes.slice(axis + 1)));
}

function needed(tensor: LooseTensor): number {
  return sizeInBytes(tensor.dataType, tensor.sizes, tensor.strides ?? null);
}

/** Bytes up to the end of the last element. */
function exact(tensor: LooseTensor): number {
  const strides = tensor.strides ?? packed(tensor.sizes);
  const last = tensor.sizes.reduce((offset, size, axis) => offset + (size - 1) * (strides[axis] ?? 0), 0);
  return (last + 1) * BYTES[tensor.dataType];
}
