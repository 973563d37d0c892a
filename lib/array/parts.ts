/** Parts of arrays, as NumPy has them in brackets. */
import { slice1 } from '../functions/index.js';
import type { Value } from '../graph/value.js';
import { argumentError } from '../values/arguments.js';
import { fieldError } from '../values/errors.js';
import { axisOf } from './axes.js';

/** What a dimension keeps: an index, which drops it, or from where to where in which steps. */
export type Part = number | null | '...' | readonly [start?: number | null, stop?: number | null, step?: number | null];

/** What is taken of each dimension. */
export function rangesOf(method: string, parts: readonly unknown[], sizes: readonly number[]): readonly PartRange[] {
  return expanded(method, parts, sizes.length).map((part, axis) => rangeOf(method, part, sizes[axis] ?? 1, axis));
}

/** Which elements of a dimension are taken. */
export interface Range {
  readonly start: number;
  readonly step: number;
  readonly count: number;
}

export interface PartRange extends Range {
  readonly isDropped: boolean;
}

/** One part for each dimension. */
function expanded(method: string, parts: readonly unknown[], count: number): readonly unknown[] {
  const at = parts.indexOf('...');
  const given = parts.length - (at < 0 ? 0 : 1);
  if (given > count || parts.lastIndexOf('...') !== at) {
    throw fieldError(
      'ERR_DIMENSION_COUNT',
      { operator: method, field: 'parts' },
      `at most ${count}, and '...' once`,
      `${parts.length}`,
    );
  }
  const rest = new Array<null>(count - given).fill(null);
  return at < 0 ? [...parts, ...rest] : parts.toSpliced(at, 1, ...rest);
}

function rangeOf(method: string, part: unknown, size: number, axis: number): PartRange {
  const field = `parts[${axis}]`;
  if (part === null || part === undefined) return { start: 0, step: 1, count: size, isDropped: false };
  if (!Array.isArray(part)) return { start: axisOf(method, part, size, field), step: 1, count: 1, isDropped: true };
  const numbers: readonly unknown[] = part;
  const isNumber = (each: unknown): each is number | null | undefined => each == null || Number.isInteger(each);
  if (numbers.length > 3 || !numbers.every(isNumber)) {
    throw argumentError(method, field, 'a number, null, or an array of start, stop and step', part);
  }
  const step = numbers[2] ?? 1;
  if (step === 0) throw argumentError(method, field, 'a step other than 0', part);
  const [first, last] = step > 0 ? [0, size] : [size - 1, -1];
  const within = (index: number) =>
    Math.min(Math.max(index < 0 ? index + size : index, Math.min(first, last)), Math.max(first, last));
  const [start, stop] = [numbers[0] == null ? first : within(numbers[0]), numbers[1] == null ? last : within(numbers[1])];
  const count = Math.ceil((stop - start) / step);
  if (count > 0) return { start, step, count, isDropped: false };
  throw fieldError('ERR_SIZES', { operator: method, field }, 'at least one element', 'none', {
    why: 'DirectML has no empty tensors',
  });
}

/** The elements of the ranges; no dimension is dropped. */
export function taken(x: Value, ranges: readonly Range[]): Value {
  return slice1(x as Value<'float32'>, {
    inputWindowOffsets: ranges.map(({ start, step, count }) => (step > 0 ? start : start + (count - 1) * step)),
    inputWindowSizes: ranges.map(({ step, count }) => (count - 1) * Math.abs(step) + 1),
    inputWindowStrides: ranges.map(({ step }) => step),
    outputTensor: { sizes: ranges.map(({ count }) => count) },
  });
}

/** `count` elements along an axis, from `start` on. */
export function part(x: Value, axis: number, start: number, count: number): Value {
  const whole = x.sizes.map((size): Range => ({ start: 0, step: 1, count: size }));
  return taken(x, whole.with(axis, { start, step: 1, count }));
}
