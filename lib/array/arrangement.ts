/** Functions that repeat elements, move them along axes, and add some around them. */
import { elementWiseIf, elementWiseIdentity as identity, join, padding1, split, tile as tiles } from '../functions/index.js';
import type { Value } from '../graph/value.js';
import { productOf } from '../tensors/tensor-size.js';
import { argumentError, readOptions } from '../values/arguments.js';
import { describe, fieldError, list } from '../values/errors.js';
import { axisOf } from './axes.js';
import { commonSizes } from './broadcast.js';
import type { OutputList } from './creation.js';
import { define, several } from './define.js';
import { rangesOf, type Part, type PartRange } from './parts.js';
import { canBroadcast } from '../tensors/tensor-size.js';
import { arrayOf, as, constantIn, flat, packed, wholeOption } from './values.js';
import type { Input, InputOrNumber, Output, TypeOf } from './types.js';

type Float = Value<'float32'>;
interface Axis {
  readonly axis?: number | undefined;
}
type Same<Rest extends readonly unknown[]> = <A extends Input>(x: A, ...rest: Rest) => Output<[A], TypeOf<A>>;
/** Operators take arrays of any data type here. */
type Make = (...args: readonly unknown[]) => Value;

/** The arrays repeated to the sizes that they have together. */
export const broadcastArrays = define(
  'broadcastArrays',
  (...arrays: readonly unknown[]) => {
    const values = arrays.map((each, i) => arrayOf('broadcastArrays', each, `arrays[${i}]`));
    const sizes = commonSizes('broadcastArrays', values);
    return values.map((value) => identity(value.broadcastTo(sizes) as Float));
  },
  several,
) as <A extends Input>(...arrays: readonly A[]) => OutputList<A>;

/** The parts of an array along an axis, by default the first, without that axis. */
export const unstack = define('unstack', (x: unknown, options: unknown) => {
  const value = arrayOf('unstack', x);
  const axis = axisOf('unstack', readOptions('unstack', options, ['axis']).get('axis') ?? 0, value.sizes.length);
  const count = value.sizes[axis] ?? 1;
  const parts = count === 1 ? [identity(value as Float)] : pieces(value, axis, new Array<number>(count).fill(1));
  const sizes = value.sizes.toSpliced(axis, 1);
  return parts.map((part) => part.reshape(sizes.length === 0 ? [1] : sizes));
}) as <A extends Input>(x: A, options?: Axis) => OutputList<A>;

/** Parts of these sizes along an axis. */
function pieces(x: Value, axis: number, counts: readonly number[]): readonly Value[] {
  const outputTensors = counts.map((size) => ({ dataType: x.dataType, sizes: x.sizes.with(axis, size) }));
  return (split as unknown as (x: Value, options: object) => readonly Value[])(x, { axis, outputTensors });
}

/** Elements moved along axes, those beyond the end to the beginning. Without an axis, along all elements in row-major order. */
export const roll = define('roll', (x: unknown, shift: unknown, options: unknown) => {
  const value = arrayOf('roll', x);
  const given = readOptions('roll', options, ['axis']).get('axis');
  if (given === undefined) return rolled(flat(value), 0, wholeOption('roll', 'shift', shift)).reshape(value.sizes);
  const axes = (Array.isArray(given) ? given : [given]).map((axis: unknown) => axisOf('roll', axis, value.sizes.length));
  const shifts: readonly unknown[] = Array.isArray(shift) ? shift : axes.map(() => shift);
  if (shifts.length !== axes.length) {
    throw fieldError(
      'ERR_SIZES',
      { operator: 'roll', field: 'shift' },
      `${axes.length} numbers, as many as axes`,
      `${shifts.length}`,
    );
  }
  const moved = axes.reduce((own, axis, i) => rolled(own, axis, wholeOption('roll', 'shift', shifts[i])), value);
  return moved === value ? identity(value as Float) : moved;
}) as Same<[shift: number | readonly number[], options?: { readonly axis?: number | readonly number[] | undefined }]>;

function rolled(x: Value, axis: number, shift: number): Value {
  const size = x.sizes[axis] ?? 1;
  const last = ((shift % size) + size) % size;
  if (last === 0) return x;
  const [first, second] = pieces(x, axis, [size - last, last]);
  return (join as Make)([second, first], { axis });
}

/** The array `counts[i]` times along the dimension `i`. With more counts than dimensions, the array has new first ones. */
export const tile = define('tile', (x: unknown, counts: unknown) => {
  const value = arrayOf('tile', x);
  const given = (Array.isArray(counts) ? counts : [counts]).map((count: unknown) => wholeOption('tile', 'counts', count, 1));
  const length = Math.max(given.length, value.sizes.length);
  const filled = (numbers: readonly number[]) => [...new Array<number>(length - numbers.length).fill(1), ...numbers];
  return (tiles as Make)(packed(value).reshape(filled(value.sizes)), { repeats: filled(given) });
}) as Same<[counts: number | readonly number[]]>;

/** Each element several times, one beside the other; without an axis, of all elements in row-major order. */
export const repeat = define('repeat', (x: unknown, counts: unknown, options: unknown) => {
  const given = readOptions('repeat', options, ['axis']).get('axis');
  const own = arrayOf('repeat', x);
  const value = given === undefined ? flat(own) : own;
  const axis = axisOf('repeat', given ?? 0, value.sizes.length);
  const size = value.sizes[axis] ?? 1;
  if (!Array.isArray(counts)) return repeated(value, axis, wholeOption('repeat', 'counts', counts, 1));
  const numbers = counts.map((count: unknown, i) => wholeOption('repeat', `counts[${i}]`, count, 0));
  if (numbers.length === 1) return repeated(value, axis, wholeOption('repeat', 'counts[0]', numbers[0], 1));
  if (numbers.length !== size)
    throw fieldError('ERR_SIZES', { operator: 'repeat', field: 'counts' }, `${size} numbers`, list(numbers));
  const parts =
    size === 1
      ? [value]
      : pieces(
          value,
          axis,
          numbers.map(() => 1),
        );
  const kept = parts.flatMap((part, i) => (numbers[i] === 0 ? [] : [repeated(part, axis, numbers[i] ?? 1)]));
  if (kept.length > 0) return (join as Make)(kept, { axis });
  throw fieldError('ERR_SIZES', { operator: 'repeat', field: 'counts' }, 'at least one element', 'none', {
    why: 'DirectML has no empty tensors',
  });
}) as Same<[counts: number | readonly number[], options?: Axis]>;

function repeated(x: Value, axis: number, count: number): Value {
  const higher = packed(x).reshape(x.sizes.toSpliced(axis + 1, 0, 1));
  const copies = identity(higher.broadcastTo(higher.sizes.with(axis + 1, count)) as Float);
  return copies.reshape(x.sizes.with(axis, (x.sizes[axis] ?? 1) * count));
}

const modes = { constant: 'constant', edge: 'edge', reflect: 'reflection', symmetric: 'symmetric' } as const;
/** Options of `pad`. */
export interface PadOptions {
  /**
   * What is added: `value`, the edge, or a mirror image without or with the edge itself, of which there are at most as many as the
   * array has. Default: `'constant'`.
   */
  readonly mode?: keyof typeof modes | undefined;
  /** Default: 0. */
  readonly value?: number | bigint | undefined;
}
type Width = number | readonly [before: number, after: number];
/** Elements added before the first and after the last of each dimension: as many everywhere, or a pair for each dimension. */
export const pad = define('pad', (x: unknown, widths: unknown, options: unknown) => {
  const value = arrayOf('pad', x);
  const read = readOptions('pad', options, ['mode', 'value']);
  const mode = read.get('mode') ?? 'constant';
  if (typeof mode !== 'string' || !Object.hasOwn(modes, mode)) {
    throw argumentError('pad', 'options.mode', `one of ${Object.keys(modes).join(', ')}`, mode);
  }
  const pairs = value.sizes.map((_, axis) => widthsOf(widths, axis, value.sizes.length));
  const most = mode === 'reflect' ? -1 : 0;
  const wrong = pairs.findIndex((pair, axis) => /^[rs]/.test(mode) && Math.max(...pair) > (value.sizes[axis] ?? 1) + most);
  if (wrong >= 0) {
    const expected = `at most ${(value.sizes[wrong] ?? 1) + most}, as ${list(value.sizes)} has`;
    throw fieldError('ERR_SIZES', { operator: 'pad', field: `widths[${wrong}]` }, expected, list(pairs[wrong] ?? []));
  }
  return padded(value, pairs, { paddingMode: modes[mode as keyof typeof modes], paddingValue: read.get('value') ?? 0 });
}) as Same<[widths: number | readonly Width[], options?: PadOptions]>;

function padded(x: Value, pairs: readonly (readonly number[])[], options: object): Value {
  const [startPadding, endPadding] = [pairs.map(([before]) => before), pairs.map(([, after]) => after)];
  return (padding1 as Make)(x, { ...options, startPadding, endPadding });
}

function widthsOf(widths: unknown, axis: number, count: number): readonly number[] {
  if (Array.isArray(widths) && widths.length !== count) {
    throw fieldError('ERR_SIZES', { operator: 'pad', field: 'widths' }, `${count} numbers or pairs`, describe(widths));
  }
  const own: unknown = Array.isArray(widths) ? widths[axis] : widths;
  const pair: readonly unknown[] = Array.isArray(own) ? own : [own, own];
  if (pair.length === 2) return pair.map((each) => wholeOption('pad', `widths[${axis}]`, each, 0));
  throw argumentError('pad', `widths[${axis}]`, 'a number, or one for before and one for after', own);
}

/** A copy of the array, a part of which is `values`, repeated to its sizes. The parts are those of `slice`. */
export const setSlice = define('setSlice', (x: unknown, values: unknown, ...given: readonly unknown[]) => {
  const value = arrayOf('setSlice', x);
  const ranges = rangesOf('setSlice', given, value.sizes);
  const kept = ranges.filter(({ isDropped }) => !isDropped).map(({ count }) => count);
  const sizes = kept.length === 0 ? [1] : kept;
  const isNumber = typeof values === 'number' || typeof values === 'bigint';
  const own = isNumber ? constantIn(x, value.dataType, sizes, values) : as(arrayOf('setSlice', values, 'values'), value.dataType);
  if (!canBroadcast(own.sizes, sizes)) {
    const expected = `sizes that can be repeated to ${list(sizes)}`;
    throw fieldError('ERR_SIZES', { operator: 'setSlice', field: 'values.sizes' }, expected, list(own.sizes));
  }
  const whole = packed(own.broadcastTo(sizes)).reshape(ranges.map(({ count }) => count));
  const mask = packed(constantIn(x, 'uint8', whole.sizes, 1));
  return (elementWiseIf as Make)(placed(mask, ranges, value.sizes), placed(whole, ranges, value.sizes), value);
}) as <A extends Input>(x: A, values: InputOrNumber, ...parts: readonly Part[]) => Output<[A], TypeOf<A>>;

/** The elements in their places of an array of these sizes, and zeros around them. */
function placed(x: Value, ranges: readonly PartRange[], sizes: readonly number[]): Value {
  const spread = ranges.reduce((own, { step, count }, axis) => {
    const turned =
      step < 0 && count > 1 ? (join as Make)([...pieces(own, axis, new Array<number>(count).fill(1))].reverse(), { axis }) : own;
    const gap = Math.abs(step) - 1;
    if (gap === 0 || count === 1) return turned;
    const higher = turned.reshape(turned.sizes.toSpliced(axis + 1, 0, 1));
    const wide = padded(
      higher,
      higher.sizes.map((_, place) => [0, place === axis + 1 ? gap : 0]),
      {},
    );
    const [first] = pieces(wide.reshape(turned.sizes.with(axis, count * (gap + 1))), axis, [count * (gap + 1) - gap, gap]);
    return first ?? turned;
  }, x);
  const before = ranges.map(({ start, step, count }) => (step > 0 ? start : start + (count - 1) * step));
  const pairs = spread.sizes.map((size, axis) => [before[axis] ?? 0, (sizes[axis] ?? 1) - size - (before[axis] ?? 0)]);
  return productOf(spread.sizes) === productOf(sizes) ? spread : padded(spread, pairs, {});
}
