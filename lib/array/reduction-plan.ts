/** Which dimensions reductions take together. */
import { elementWiseIf, elementWiseIsNan, reduce } from '../functions/index.js';
import type { Value } from '../graph/value.js';
import { isFloat } from '../tensors/data-types.js';
import { argumentError, readOptions } from '../values/arguments.js';
import { axesOf } from './axes.js';

type Float = Value<'float32'>;

/** Which dimensions vanish, and what the result looks like without them. */
interface Plan {
  readonly axes: readonly number[];
  /** The result, whose reduced dimensions have size 1. */
  readonly shaped: (result: Value) => Value;
  readonly read: ReadonlyMap<string, unknown>;
}

export function planOf(method: string, x: Value, options: unknown, more: readonly string[] = []): Plan {
  const read = readOptions(method, options, ['axis', 'keepDims', ...more]);
  const keepDims = read.get('keepDims') ?? false;
  if (typeof keepDims !== 'boolean') throw argumentError(method, 'keepDims', 'true or false', keepDims);
  const axes = [...axesOf(method, read.get('axis'), x.sizes.length)].sort((a, b) => a - b);
  const sizes = x.sizes.filter((_, axis) => !axes.includes(axis));
  const shaped = (result: Value) => (keepDims ? result : result.reshape(sizes.length === 0 ? [1] : sizes));
  return { axes, shaped, read };
}

export function reduced(x: Value, name: 'sum' | 'multiply' | 'max' | 'min' | 'average', axes: readonly number[]): Value {
  return reduce(x as Float, { function: name, axes });
}

/** The largest or the smallest elements, NaN if one is: DirectML passes over it. */
export function extreme(x: Value, name: 'max' | 'min', axes: readonly number[]): Value {
  return unlessNaN(x, axes, reduced(x, name, axes), () => NaN);
}

/** What is found along axes of an array, or something else where an element is NaN: of 1 for each that is, and 0 for others. */
export function unlessNaN(
  x: Value,
  axes: readonly number[],
  found: Value,
  otherwise: (isNaN: Value<'uint8'>) => Value | number,
): Value {
  if (!isFloat(x.dataType)) return found;
  const isNaN = elementWiseIsNan(x as Float);
  const hasNaN = reduced(isNaN, 'max', axes) as Value<'uint8'>;
  return elementWiseIf(hasNaN, otherwise(isNaN) as Float, found as Float);
}
