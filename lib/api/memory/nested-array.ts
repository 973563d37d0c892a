/** The elements of a tensor as nested arrays. */
import { codecs } from '../../tensors/element.js';
import type { DataType } from '../../tensors/generated/enums.js';
import { stridesOf } from '../../tensors/tensor-size.js';
import type { TensorLayout } from '../../tensors/views.js';

/** The engine's own, saved now because a program may replace the global later. */
const { DataView } = globalThis;

/** Arrays of arrays, one level for each dimension. */
export type NestedArray<Element> = (Element | NestedArray<Element>)[];

/** An element of a tensor in JavaScript: a bigint for integers of 64 bits, else a number. */
export type ElementOf<T extends DataType> = T extends 'int64' | 'uint64' ? bigint : number;

/** `bytes` are those of the tensor, gaps between elements included. */
export function nestedArray(layout: TensorLayout, bytes: ArrayBuffer): NestedArray<number | bigint> {
  const { sizes } = layout;
  const { read } = codecs[layout.dataType];
  const strides = stridesOf(layout);
  const view = new DataView(bytes);
  const level = (axis: number, start: number): NestedArray<number | bigint> => {
    const [size = 0, stride = 0] = [sizes[axis], strides[axis]];
    const isLast = axis === sizes.length - 1;
    return Array.from({ length: size }, (_, i) => {
      const at = start + i * stride;
      return isLast ? read(view, at) : level(axis + 1, at);
    });
  };
  return level(0, 0);
}
