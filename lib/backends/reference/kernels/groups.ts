/** The elements of a tensor in groups: those that differ along some axes alone, and are reduced or normalized together. */
import { productOf } from './kernel.js';

/** The i-th element of a group is number `first + steps[i]` of the tensor, the same steps in all groups. */
export interface Groups {
  /** By group, in row-major order. */
  readonly first: Uint32Array;
  readonly steps: Uint32Array;
}

export function groupsAlong(sizes: readonly number[], isReduced: (axis: number) => boolean): Groups {
  return {
    first: elementsAlong(sizes, (axis) => !isReduced(axis)),
    steps: elementsAlong(sizes, isReduced),
  };
}

/** The numbers of the elements that lie at 0 on all other axes, in row-major order. */
function elementsAlong(sizes: readonly number[], isChosen: (axis: number) => boolean): Uint32Array {
  const chosen = sizes.map((size, axis) => (isChosen(axis) ? size : 1));
  const elements = new Uint32Array(productOf(chosen));
  let filled = 1;
  let stride = 1;
  for (let axis = sizes.length - 1; axis >= 0; axis--) {
    const size = chosen[axis] ?? 1;
    // What is there already is repeated once for every further coordinate of this axis.
    for (let i = filled; i < filled * size; i++) {
      elements[i] = (elements[i % filled] ?? 0) + Math.floor(i / filled) * stride;
    }
    filled *= size;
    stride *= sizes[axis] ?? 1;
  }
  return elements;
}

/** Of the group that begins with element `start`. */
export function meanOf(values: Float64Array, start: number, steps: Uint32Array): number {
  let sum = 0;
  for (const step of steps) sum += values[start + step] ?? 0;
  return sum / steps.length;
}

export function meanOfSquares(values: Float64Array, start: number, steps: Uint32Array): number {
  let sum = 0;
  for (const step of steps) sum += (values[start + step] ?? 0) ** 2;
  return sum / steps.length;
}
