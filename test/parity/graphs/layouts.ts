/** Layouts of values. */
import { bitsOf } from '#lib/data-types/table.js';
import { product } from '../../conformance/layout.js';
import type { LooseTensor } from '../candidate.js';

/** The number of elements from the first to the last one in memory. */
export function span({ sizes, strides }: LooseTensor): number {
  if (strides === undefined || strides === null) return product(sizes);
  return sizes.reduce((last, size, axis) => last + (size - 1) * (strides[axis] ?? 0), 1);
}

/** All elements in memory as one packed dimension. */
export function flatView(tensor: LooseTensor): LooseTensor {
  return { dataType: tensor.dataType, sizes: [span(tensor)] };
}

export function isFourBit({ dataType }: LooseTensor): boolean {
  return bitsOf(dataType) === 4;
}
