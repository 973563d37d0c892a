/** Axes as NumPy counts them: from 0 on, and from -1 back. */
import { argumentError } from '../values/arguments.js';
import { describe, fieldError, list } from '../values/errors.js';

/** The number of a dimension. */
export function axisOf(method: string, axis: unknown, dimensions: number, name = 'axis'): number {
  if (typeof axis !== 'number' || !Number.isInteger(axis)) throw argumentError(method, name, 'a whole number', axis);
  if (axis < -dimensions || axis >= dimensions) {
    const expected = `${-dimensions} to ${dimensions - 1}`;
    throw fieldError('ERR_OUT_OF_RANGE', { operator: method, field: name }, expected, describe(axis));
  }
  return axis < 0 ? axis + dimensions : axis;
}

/** The numbers of different dimensions, in the order given. Undefined stands for all. */
export function axesOf(method: string, axes: unknown, dimensions: number, name = 'axis'): readonly number[] {
  if (axes === undefined) return Array.from({ length: dimensions }, (_, axis) => axis);
  const given: readonly unknown[] = Array.isArray(axes) ? axes : [axes];
  const found = given.map((axis) => axisOf(method, axis, dimensions, name));
  if (new Set(found).size === found.length) return found;
  throw fieldError('ERR_INVALID_ARGUMENT', { operator: method, field: name }, 'each axis once', list(found));
}
