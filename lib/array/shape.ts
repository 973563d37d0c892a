/** Functions that change sizes and the order of elements. What can be a view is one: nothing is copied. */
import { join } from '../functions/index.js';
import { Value } from '../graph/value.js';
import { canBroadcast, isPacked, productOf } from '../tensors/tensor-size.js';
import { readOptions } from '../values/arguments.js';
import { fieldError, list } from '../values/errors.js';
import { axesOf, axisOf } from './axes.js';
import { define, defineView, several, type Viewed } from './define.js';
import { rangesOf, taken, type Part } from './parts.js';
import { sizesOf } from './sizes.js';
import { alike } from './operands.js';
import { arrayOf, packed, requireMatrices } from './values.js';
import type { Input, Output, TypeOf } from './types.js';

type Sizes = readonly number[];
type View<Rest extends readonly unknown[]> = <A extends Input>(x: A, ...rest: Rest) => Output<[A], TypeOf<A>>;

/** The same elements in row-major order with other sizes, of which one may be -1: what is left. */
export const reshape = defineView('reshape', (x, sizes) => {
  const wanted = sizesOf('reshape', sizes, productOf(x.sizes), x.sizes);
  return isPacked(x) ? x.reshape(wanted) : null;
}) as View<[sizes: Sizes]>;

/** Dimension `i` of the result is dimension `axes[i]`. */
export const permuteDims = defineView('permuteDims', (x, axes) => {
  const order = axesOf('permuteDims', axes, x.sizes.length, 'axes');
  if (order.length !== x.sizes.length) {
    throw fieldError('ERR_SIZES', { operator: 'permuteDims', field: 'axes' }, `${x.sizes.length} axes`, list(order));
  }
  return x.transpose(order);
}) as View<[axes: Sizes]>;

/** The last two dimensions change places. */
export const matrixTranspose = defineView('matrixTranspose', (x) => {
  const count = x.sizes.length;
  requireMatrices('matrixTranspose', x);
  return x.transpose([...x.sizes.keys()].map((axis) => (axis < count - 2 ? axis : 2 * count - 3 - axis)));
}) as View<[]>;

/** Moves dimensions to other places; the others stay in their order. */
export const moveaxis = defineView('moveaxis', (x, source, destination) => {
  const count = x.sizes.length;
  const [from, to] = [axesOf('moveaxis', source, count, 'source'), axesOf('moveaxis', destination, count, 'destination')];
  if (from.length !== to.length) {
    throw fieldError('ERR_SIZES', { operator: 'moveaxis', field: 'destination' }, `${from.length} axes`, list(to));
  }
  const rest = [...x.sizes.keys()].filter((axis) => !from.includes(axis));
  const order = Array.from(x.sizes, (_, axis) => (to.includes(axis) ? (from[to.indexOf(axis)] ?? 0) : (rest.shift() ?? 0)));
  return x.transpose(order);
}) as View<[source: number | Sizes, destination: number | Sizes]>;

/** A new dimension of size 1 at the place `axis` of the result. */
export const expandDims = defineView('expandDims', (x, options) => {
  const axis = axisOf('expandDims', readOptions('expandDims', options, ['axis']).get('axis') ?? 0, x.sizes.length + 1);
  return resized(x, x.sizes.toSpliced(axis, 0, 1));
}) as View<[options: { readonly axis: number }]>;

/** Without dimensions of size 1. */
export const squeeze = defineView('squeeze', (x, options) => {
  const given = readOptions('squeeze', options, ['axis']).get('axis');
  const single = [...x.sizes.keys()].filter((axis) => x.sizes[axis] === 1);
  const axes = given === undefined ? single : axesOf('squeeze', given, x.sizes.length);
  const wrong = axes.find((axis) => x.sizes[axis] !== 1);
  if (wrong !== undefined) {
    throw fieldError('ERR_SIZES', { operator: 'squeeze', field: 'axis' }, 'a dimension of size 1', `size ${x.sizes[wrong] ?? 0}`);
  }
  const sizes = x.sizes.filter((_, axis) => !axes.includes(axis));
  return resized(x, sizes.length === 0 ? [1] : sizes);
}) as View<[options?: { readonly axis?: number | Sizes | undefined }]>;

/** Repeats the array along dimensions of size 1 and along new first ones. The view can only be an input. */
export const broadcastTo = defineView('broadcastTo', (x, sizes) => {
  const wanted = sizesOf('broadcastTo', sizes);
  if (canBroadcast(x.sizes, wanted)) return x.broadcastTo(wanted);
  throw fieldError(
    'ERR_SIZES',
    { operator: 'broadcastTo', field: 'sizes' },
    `sizes to which ${list(x.sizes)} can be repeated`,
    list(wanted),
  );
}) as View<[sizes: Sizes]>;

type Joined = <A extends Input>(arrays: readonly A[], options?: { readonly axis?: number | undefined }) => Output<[A], TypeOf<A>>;

/** Arrays one behind the other along an axis, by default the first. */
export const concat = define(
  'concat',
  (arrays: unknown, options: unknown) => {
    const values = alike('concat', arrays);
    const axis = axisOf('concat', readOptions('concat', options, ['axis']).get('axis') ?? 0, values[0]?.sizes.length ?? 1);
    return join(values as Value<'float32'>[], { axis });
  },
  several,
) as Joined;

/** Arrays of equal sizes along a new axis, by default the first. */
export const stack = define(
  'stack',
  (arrays: unknown, options: unknown) => {
    const values = alike('stack', arrays);
    const count = values[0]?.sizes.length ?? 0;
    const axis = axisOf('stack', readOptions('stack', options, ['axis']).get('axis') ?? 0, count + 1);
    const higher = values.map((value) => packed(value).reshape(value.sizes.toSpliced(axis, 0, 1)));
    return join(higher as Value<'float32'>[], { axis });
  },
  several,
) as Joined;

/** The order of the elements along axes turned round, by default along all. */
export const flip = define('flip', (x: unknown, options: unknown) => {
  const value = arrayOf('flip', x);
  const axes = axesOf('flip', readOptions('flip', options, ['axis']).get('axis'), value.sizes.length);
  return taken(
    value,
    value.sizes.map((count, axis) =>
      axes.includes(axis) ? { start: count - 1, step: -1, count } : { start: 0, step: 1, count },
    ),
  );
}) as View<[options?: { readonly axis?: number | Sizes | undefined }]>;

/**
 * A part of an array, as in NumPy. For each dimension: a number takes one element and drops the dimension; `[start, stop, step]`
 * takes a range, whose numbers count from the end if they are negative; null takes all. `'...'` stands for all dimensions between.
 */
export const slice = define('slice', (x: unknown, ...given: readonly unknown[]) => {
  const value = arrayOf('slice', x);
  const ranges = rangesOf('slice', given, value.sizes);
  const part = taken(value, ranges);
  const sizes = part.sizes.filter((_, axis) => ranges[axis]?.isDropped === false);
  return part.reshape(sizes.length === 0 ? [1] : sizes);
}) as <A extends Input>(x: A, ...parts: readonly Part[]) => Output<[A], TypeOf<A>>;

/** Other sizes for dimensions of size 1, which have any strides. */
function resized(x: Viewed, sizes: Sizes): Viewed | null {
  return isPacked(x) ? x.reshape(sizes) : null;
}
