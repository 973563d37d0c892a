/** Products of arrays along dimensions of both, and diagonals of matrices. */
import {
  elementWiseIdentity as identity,
  elementWiseMultiply,
  elementWiseSubtract,
  join,
  reduce,
  slice1,
} from '../functions/index.js';
import { bothSizes } from '../functions/broadcast.js';
import type { Value } from '../graph/value.js';
import { readOptions } from '../values/arguments.js';
import { fieldError, list } from '../values/errors.js';
import { axesOf, axisOf } from './axes.js';
import { contracted } from './contraction.js';
import { define } from './define.js';
import { part } from './parts.js';
import { promoted, type Promoted } from './promotion.js';
import { arrayOf, as, narrow, packed, requireMatrices, wholeOption, wide } from './values.js';
import type { Input, Output, Sum, TypeOf } from './types.js';

type Float = Value<'float32'>;
type Sizes = readonly number[];
type Product<Options> = <A extends Input, B extends Input>(
  x: A,
  y: B,
  options?: Options,
) => Output<[A, B], Promoted<TypeOf<A>, TypeOf<B>>>;

/** Both with the data type that they have together. */
function pairOf(method: string, x: unknown, y: unknown): readonly [Value, Value] {
  const [a, b] = [arrayOf(method, x), arrayOf(method, y, 'y')];
  const dataType = promoted(method, a.dataType, b.dataType);
  return [as(a, dataType), as(b, dataType)];
}

/** Labels that only this array has. */
const own = (name: string, sizes: Sizes) => sizes.map((_, axis) => `${name}${axis}`);

/** The sum of the products along an axis of both, by default the last. The other dimensions are repeated as in `add`. */
export const vecdot = define('vecdot', (x: unknown, y: unknown, options: unknown) => {
  const [a, b] = pairOf('vecdot', x, y);
  const given = readOptions('vecdot', options, ['axis']).get('axis') ?? -1;
  const axis = axisOf('vecdot', given, Math.min(a.sizes.length, b.sizes.length)) - Math.min(a.sizes.length, b.sizes.length);
  const both = bothSizes(a.sizes, b.sizes);
  if (both === null || a.sizes.at(axis) !== b.sizes.at(axis)) {
    const expected = `sizes that broadcast with ${list(a.sizes)}, and equal ones along the axis`;
    throw fieldError('ERR_SIZES', { operator: 'vecdot', field: 'y.sizes' }, expected, list(b.sizes));
  }
  const products = elementWiseMultiply(wide(a) as Float, wide(b) as Float);
  const sum = narrow(reduce(products, { function: 'sum', axes: [both.length + axis] }), a.dataType);
  const sizes = both.toSpliced(both.length + axis, 1);
  return sum.reshape(sizes.length === 0 ? [1] : sizes);
}) as Product<{ readonly axis?: number | undefined }>;

/** Options of `tensordot`. */
export interface TensordotOptions {
  /** So many of the last dimensions of `x` and of the first of `y`, or the dimensions of each. Default: 2. */
  readonly axes?: number | readonly [x: Sizes, y: Sizes] | undefined;
}
/** The products of all elements, summed over dimensions of both. */
export const tensordot = define('tensordot', (x: unknown, y: unknown, options: unknown) => {
  const [a, b] = pairOf('tensordot', x, y);
  const given = readOptions('tensordot', options, ['axes']).get('axes') ?? 2;
  const [first, second] = axesOfBoth(given, a.sizes.length, b.sizes.length);
  const labels = own('y', b.sizes).map((label, axis) => (second.includes(axis) ? `x${first[second.indexOf(axis)] ?? 0}` : label));
  const wrong = second.find((axis, i) => b.sizes[axis] !== a.sizes[first[i] ?? 0]);
  if (wrong !== undefined) {
    const expected = `${a.sizes[first[second.indexOf(wrong)] ?? 0] ?? 1} elements along dimension ${wrong}`;
    throw fieldError('ERR_SIZES', { operator: 'tensordot', field: 'y.sizes' }, expected, list(b.sizes));
  }
  const kept = [
    ...own('x', a.sizes).filter((_, axis) => !first.includes(axis)),
    ...labels.filter((label) => label.startsWith('y')),
  ];
  return contracted({ value: a, labels: own('x', a.sizes) }, { value: b, labels }, kept).value;
}) as Product<TensordotOptions>;

function axesOfBoth(given: unknown, x: number, y: number): readonly [Sizes, Sizes] {
  if (Array.isArray(given)) {
    const [first, second] = [
      axesOf('tensordot', given[0] ?? [], x, 'axes[0]'),
      axesOf('tensordot', given[1] ?? [], y, 'axes[1]'),
    ];
    if (first.length === second.length) return [first, second];
    throw fieldError(
      'ERR_SIZES',
      { operator: 'tensordot', field: 'axes' },
      'equally many of both',
      `${first.length} and ${second.length}`,
    );
  }
  const count = wholeOption('tensordot', 'axes', given, 0);
  if (count > Math.min(x, y)) {
    throw fieldError('ERR_OUT_OF_RANGE', { operator: 'tensordot', field: 'axes' }, `0 to ${Math.min(x, y)}`, `${count}`);
  }
  const axes = Array.from({ length: count }, (_, axis) => axis);
  return [axes.map((axis) => x - count + axis), axes];
}

/** The products of each element of a vector with each of another one. */
export const outer = define('outer', (x: unknown, y: unknown) => {
  const [a, b] = pairOf('outer', x, y);
  for (const [name, { sizes }] of Object.entries({ x: a, y: b })) {
    if (sizes.length === 1) continue;
    throw fieldError('ERR_DIMENSION_COUNT', { operator: 'outer', field: name }, 'one dimension', `${sizes.length}`);
  }
  return elementWiseMultiply(packed(a).reshape([a.sizes[0] ?? 1, 1]) as Float, b as Float);
}) as Product<undefined>;

/** The cross product of vectors with three elements, along an axis of both, by default the last. */
export const cross = define('cross', (x: unknown, y: unknown, options: unknown) => {
  const [a, b] = pairOf('cross', x, y);
  const both = bothSizes(a.sizes, b.sizes);
  if (both === null) {
    throw fieldError(
      'ERR_SIZES',
      { operator: 'cross', field: 'y.sizes' },
      `sizes that broadcast with ${list(a.sizes)}`,
      list(b.sizes),
    );
  }
  const axis = axisOf('cross', readOptions('cross', options, ['axis']).get('axis') ?? -1, both.length);
  for (const [name, { sizes }] of Object.entries({ x: a, y: b })) {
    if (sizes.at(axis - both.length) === 3) continue;
    throw fieldError('ERR_SIZES', { operator: 'cross', field: `${name}.sizes` }, '3 elements along the axis', list(sizes));
  }
  const component = (own: Value, i: number) => part(own.broadcastTo(both), axis, i % 3, 1) as Float;
  const product = (i: number, j: number) => elementWiseMultiply(component(a, i), component(b, j));
  const parts = [0, 1, 2].map((i) => elementWiseSubtract(product(i + 1, i + 2), product(i + 2, i + 1)));
  return join(parts, { axis });
}) as Product<{ readonly axis?: number | undefined }>;

/** Options of `diagonal` and `trace`. */
export interface DiagonalOptions {
  /** 0 is the main diagonal, those above are positive. Default: 0. */
  readonly offset?: number | undefined;
}

/** The diagonals of matrices, which are the last two dimensions. */
export const diagonal = define('diagonal', (x: unknown, options: unknown) =>
  identity(diagonalOf('diagonal', x, options) as Float),
) as <A extends Input>(x: A, options?: DiagonalOptions) => Output<[A], TypeOf<A>>;

/** The sums of the diagonals of matrices, which are the last two dimensions. */
export const trace = define('trace', (x: unknown, options: unknown) => {
  const value = wide(diagonalOf('trace', x, options));
  const sizes = value.sizes.slice(0, -1);
  return reduce(value as Float, { function: 'sum', axes: [sizes.length] }).reshape(sizes.length === 0 ? [1] : sizes);
}) as <A extends Input>(x: A, options?: DiagonalOptions) => Output<[A], Sum<TypeOf<A>>>;

/** Each element of a diagonal is a row and a column behind the one before. */
function diagonalOf(method: string, x: unknown, options: unknown): Value {
  const value = arrayOf(method, x);
  const offset = wholeOption(method, 'offset', readOptions(method, options, ['offset']).get('offset') ?? 0);
  requireMatrices(method, value);
  const batch = value.sizes.slice(0, -2);
  const [rows = 1, columns = 1] = value.sizes.slice(-2);
  const count = offset >= 0 ? Math.min(rows, columns - offset) : Math.min(rows + offset, columns);
  if (count < 1)
    throw fieldError('ERR_OUT_OF_RANGE', { operator: method, field: 'offset' }, `${1 - rows} to ${columns - 1}`, `${offset}`);
  const start = offset >= 0 ? offset : -offset * columns;
  const line = packed(value).reshape([...batch, rows * columns]);
  const zeros = batch.map(() => 0);
  return slice1(line as Float, {
    inputWindowOffsets: [...zeros, start],
    inputWindowSizes: [...batch, (count - 1) * (columns + 1) + 1],
    inputWindowStrides: [...batch.map(() => 1), columns + 1],
    outputTensor: { sizes: [...batch, count] },
  });
}
