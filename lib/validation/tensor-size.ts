/** The bytes that a tensor takes, as `DMLCalcBufferTensorSize` computes them. */
import { bitsOf } from '../data-types/table.js';
import type { DataType } from '../schema/generated/enums.js';

/** Elements from the first to the last one in memory, gaps included. */
export function elementSpan(sizes: readonly number[], strides: readonly number[] | null): number {
  if (strides === null) return productOf(sizes);
  return sizes.reduce((last, size, i) => last + (size - 1) * (strides[i] ?? 0), 1);
}

/** Bytes up to the end of the last element. */
export function spanInBytes(dataType: DataType, sizes: readonly number[], strides: readonly number[] | null): number {
  return Math.ceil((elementSpan(sizes, strides) * bitsOf(dataType)) / 8);
}

/**
 * The smallest `totalTensorSizeInBytes` of a tensor: up to the end of its last element, rounded up to 4 bytes.
 * `strides` are in elements; null for a packed tensor.
 */
export function minimumTensorSizeInBytes(
  dataType: DataType,
  sizes: readonly number[],
  strides: readonly number[] | null = null,
): number {
  return Math.ceil(spanInBytes(dataType, sizes, strides) / 4) * 4;
}

/** In elements: what a tensor without strides of its own has. */
export function packedStrides(sizes: readonly number[]): number[] {
  const strides = new Array<number>(sizes.length).fill(1);
  for (let axis = sizes.length - 2; axis >= 0; axis--) {
    strides[axis] = (strides[axis + 1] ?? 1) * (sizes[axis + 1] ?? 1);
  }
  return strides;
}

/** The product of `sizes[from]` to `sizes[to - 1]`: how many elements they span. */
export function productOf(sizes: readonly number[], from = 0, to = sizes.length): number {
  let product = 1;
  for (let axis = from; axis < to; axis++) product *= sizes[axis] ?? 1;
  return product;
}
