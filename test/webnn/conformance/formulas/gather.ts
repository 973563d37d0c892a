/** Gathers and scatters, from the specification's text: a negative index counts from the end, and indices are clamped. */
import { at, coordinatesOf, makeTensor, type Element, type PlainTensor, type Shape } from '../plain-tensor.js';

interface AxisOptions {
  readonly axis?: number;
}

export function gather(input: PlainTensor, indices: PlainTensor, { axis = 0 }: AxisOptions = {}): PlainTensor {
  const count = indices.shape.length;
  const shape = [...input.shape.slice(0, axis), ...indices.shape, ...input.shape.slice(axis + 1)];
  return makeTensor(input.dataType, shape, (place) => {
    const index = clamped(at(indices, place.slice(axis, axis + count)), input.shape[axis]);
    return at(input, [...place.slice(0, axis), index, ...place.slice(axis + count)]);
  });
}

export function gatherElements(input: PlainTensor, indices: PlainTensor, { axis = 0 }: AxisOptions = {}): PlainTensor {
  return makeTensor(input.dataType, indices.shape, (place) => {
    return at(input, place.with(axis, clamped(at(indices, place), input.shape[axis])));
  });
}

export function gatherND(input: PlainTensor, indices: PlainTensor): PlainTensor {
  const tuples = indices.shape.slice(0, -1);
  const rest = input.shape.slice(indices.shape.at(-1));
  return makeTensor(input.dataType, [...tuples, ...rest], (place) => at(input, targetOf(input, indices, place)));
}

export function scatterElements(
  input: PlainTensor,
  indices: PlainTensor,
  updates: PlainTensor,
  { axis = 0 }: AxisOptions = {},
): PlainTensor {
  const data = [...input.data];
  for (const place of coordinatesOf(indices.shape)) {
    const target = place.with(axis, clamped(at(indices, place), input.shape[axis]));
    data[indexOf(input, target)] = at(updates, place);
  }
  return { ...input, data };
}

export function scatterND(input: PlainTensor, indices: PlainTensor, updates: PlainTensor): PlainTensor {
  const data = [...input.data];
  for (const place of coordinatesOf(updates.shape)) data[indexOf(input, targetOf(input, indices, place))] = at(updates, place);
  return { ...input, data };
}

/** The tuple that the indices have for a place, followed by the rest of the place. */
function targetOf(input: PlainTensor, indices: PlainTensor, place: Shape): Shape {
  const count = indices.shape.length - 1;
  const length = indices.shape[count] ?? 0;
  const tuple = Array.from({ length }, (_, i) => clamped(at(indices, [...place.slice(0, count), i]), input.shape[i]));
  return [...tuple, ...place.slice(count)];
}

function clamped(index: Element, size = 1): number {
  const inRange = Math.min(Math.max(Number(index), -size), size - 1);
  return inRange < 0 ? inRange + size : inRange;
}

/** Where the element at these coordinates is in the data. */
function indexOf({ shape }: PlainTensor, place: Shape): number {
  return shape.reduce((index, size, axis) => index * size + (place[axis] ?? 0), 0);
}
