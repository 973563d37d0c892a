/** The size of a tensor in memory, as `DMLCalcBufferTensorSize` computes it. */
import { bitsOf } from './data-types.js';
import type { DataType } from './generated/enums.js';

/** Number of elements from the first to the last one in memory, including gaps. */
export function elementSpan(sizes: readonly number[], strides: readonly number[] | null): number {
  if (strides === null) return productOf(sizes);
  return sizes.reduce((last, size, i) => last + (size - 1) * (strides[i] ?? 0), 1);
}

/** Number of bytes up to the end of the last element. */
export function spanInBytes(dataType: DataType, sizes: readonly number[], strides: readonly number[] | null): number {
  return Math.ceil((elementSpan(sizes, strides) * bitsOf(dataType)) / 8);
}

/**
 * The smallest `totalTensorSizeInBytes` of a tensor: up to the end of its last element, rounded up to a multiple of 4
 * bytes. `strides` are in elements; null for a packed tensor.
 */
export function minimumTensorSizeInBytes(
  dataType: DataType,
  sizes: readonly number[],
  strides: readonly number[] | null = null,
): number {
  return bufferSize(spanInBytes(dataType, sizes, strides));
}

/** The size of a buffer for so many bytes: DirectML reads and writes whole groups of four. */
export function bufferSize(bytes: number): number {
  return Math.ceil(bytes / 4) * 4;
}

/** The strides of a packed tensor, in elements. */
export function packedStrides(sizes: readonly number[]): number[] {
  const strides = new Array<number>(sizes.length).fill(1);
  for (let axis = sizes.length - 2; axis >= 0; axis--) {
    strides[axis] = (strides[axis + 1] ?? 1) * (sizes[axis + 1] ?? 1);
  }
  return strides;
}

/** In elements, also of a packed tensor. */
export function stridesOf({ sizes, strides }: Layout): readonly number[] {
  return strides ?? packedStrides(sizes);
}

export interface Layout {
  readonly sizes: readonly number[];
  readonly strides: readonly number[] | null;
}

/** True if each size, aligned to the right, is 1 or that of `target`. */
export function canBroadcast(sizes: readonly number[], target: readonly number[]): boolean {
  const added = target.length - sizes.length;
  return added >= 0 && sizes.every((size, axis) => size === 1 || size === target[axis + added]);
}

/** True if both strides lead to the same elements of a tensor of these sizes. Those of dimensions of one element do not count. */
export function sameStrides(sizes: readonly number[], a: readonly number[] | null, b: readonly number[] | null): boolean {
  if (a === b) return true;
  const [first, second] = [a ?? packedStrides(sizes), b ?? packedStrides(sizes)];
  return sizes.every((size, axis) => size === 1 || first[axis] === second[axis]);
}

/** True if the elements lie in order and without gaps. */
export function isPacked({ sizes, strides }: Layout): boolean {
  return sameStrides(sizes, strides, null);
}

/** The product of `sizes[from]` to `sizes[to - 1]`: the number of elements of these dimensions. */
export function productOf(sizes: readonly number[], from = 0, to = sizes.length): number {
  let product = 1;
  for (let axis = from; axis < to; axis++) product *= sizes[axis] ?? 1;
  return product;
}
