/**
 * Groups of elements that are reduced or normalized together. The elements of a group differ only in their coordinates along some
 * axes.
 */
import { inFloat32Range } from './numbers.js';
import { productOf } from '../tensors/tensor-size.js';

/** Element i of a group is number `first + steps[i]` of the tensor. All groups have the same steps. */
export interface Groups {
  /** The first element of each group; groups are in row-major order. */
  readonly first: Uint32Array;
  readonly steps: Uint32Array;
}

export function groupsAlong(sizes: readonly number[], isReduced: (axis: number) => boolean): Groups {
  const key = sizes.map((size, axis) => (isReduced(axis) ? `-${size}` : size)).join();
  if (last.key === key) return last.groups;
  const groups = {
    first: elementsAlong(sizes, (axis) => !isReduced(axis)),
    steps: elementsAlong(sizes, isReduced),
  };
  if (groups.first.length + groups.steps.length <= KEPT) last = { key, groups };
  return groups;
}

/** In elements. Blocks of a tensor have the same groups one after the other; lists of more are not kept. */
const KEPT = 2 ** 15;

let last: { readonly key: string; readonly groups: Groups } = {
  key: '',
  groups: { first: new Uint32Array(1), steps: new Uint32Array(1) },
};

/** The numbers of the elements whose coordinates on all other axes are 0, in row-major order. */
function elementsAlong(sizes: readonly number[], isChosen: (axis: number) => boolean): Uint32Array {
  const chosen = sizes.map((size, axis) => (isChosen(axis) ? size : 1));
  const elements = new Uint32Array(productOf(chosen));
  let filled = 1;
  let stride = 1;
  for (let axis = sizes.length - 1; axis >= 0; axis--) {
    const size = chosen[axis] ?? 1;
    // The elements so far are repeated once for each further coordinate of this axis.
    for (let i = filled; i < filled * size; i++) {
      elements[i] = (elements[i % filled] ?? 0) + Math.floor(i / filled) * stride;
    }
    filled *= size;
    stride *= sizes[axis] ?? 1;
  }
  return elements;
}

/** The sum of the group that begins with element `start`. A partial sum that overflows float32 stays infinite. */
export function sumOf(values: Float32Array | Float64Array, start: number, steps: Uint32Array): number {
  let sum = 0;
  for (let i = 0; i < steps.length; i++) sum = inFloat32Range(sum + (values[start + (steps[i] ?? 0)] ?? 0));
  return sum;
}

/** The sum of the squares of a group. Squares and sum overflow and underflow as float32. */
export function sumOfSquares(values: Float32Array | Float64Array, start: number, steps: Uint32Array): number {
  let sum = 0;
  for (let i = 0; i < steps.length; i++) {
    const value = values[start + (steps[i] ?? 0)] ?? 0;
    sum += inFloat32Range(value * value);
  }
  return inFloat32Range(sum);
}

export function meanOf(values: Float64Array, start: number, steps: Uint32Array): number {
  return inFloat32Range(sumOf(values, start, steps) / steps.length);
}

export function meanOfSquares(values: Float64Array, start: number, steps: Uint32Array): number {
  return inFloat32Range(sumOfSquares(values, start, steps) / steps.length);
}
