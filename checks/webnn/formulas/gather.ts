/** Gathers and scatters, from the specification's text: a negative index counts from the end, and indices are clamped. */
import type { Formula } from '../operator.js';
import { at, coordinatesOf, makeTensor, type Element, type PlainTensor, type Shape } from '../plain-tensor.js';

export const gather: Formula<'gather'> = (input, indices, { axis = 0 } = {}) => {
  const count = indices.shape.length;
  return makeTensor(input.dataType, input.shape.toSpliced(axis, 1, ...indices.shape), (place) => {
    const index = clamped(at(indices, place.slice(axis, axis + count)), input.shape[axis]);
    return at(input, place.toSpliced(axis, count, index));
  });
};

export const gatherElements: Formula<'gatherElements'> = (input, indices, { axis = 0 } = {}) => {
  return makeTensor(input.dataType, indices.shape, (place) => at(input, alongAxis(input, indices, place, axis)));
};

export const gatherND: Formula<'gatherND'> = (input, indices) => {
  const shape = [...indices.shape.slice(0, -1), ...input.shape.slice(indices.shape.at(-1))];
  return makeTensor(input.dataType, shape, (place) => at(input, byTuple(input, indices, place)));
};

export const scatterElements: Formula<'scatterElements'> = (input, indices, updates, { axis = 0 } = {}) => {
  return scattered(input, updates, (place) => alongAxis(input, indices, place, axis));
};

export const scatterND: Formula<'scatterND'> = (input, indices, updates) => {
  return scattered(input, updates, (place) => byTuple(input, indices, place));
};

/** The input, in which each update replaces the element at its target. */
function scattered(input: PlainTensor, updates: PlainTensor, targetOf: (place: Shape) => Shape): PlainTensor {
  const data = [...input.data];
  for (const place of coordinatesOf(updates.shape)) {
    const target = targetOf(place);
    data[input.shape.reduce((index, size, axis) => index * size + (target[axis] ?? 0), 0)] = at(updates, place);
  }
  return { ...input, data };
}

/** The place, with its coordinate along the axis replaced by the index at that place. */
function alongAxis(input: PlainTensor, indices: PlainTensor, place: Shape, axis: number): Shape {
  return place.with(axis, clamped(at(indices, place), input.shape[axis]));
}

/** The tuple of indices for a place, followed by the remaining coordinates of the place. */
function byTuple(input: PlainTensor, indices: PlainTensor, place: Shape): Shape {
  const count = indices.shape.length - 1;
  const length = indices.shape[count] ?? 0;
  const tuple = Array.from({ length }, (_, i) => clamped(at(indices, [...place.slice(0, count), i]), input.shape[i]));
  return [...tuple, ...place.slice(count)];
}

function clamped(index: Element, size = 1): number {
  const inRange = Math.min(Math.max(Number(index), -size), size - 1);
  return inRange < 0 ? inRange + size : inRange;
}
