/** Functions that sort along an axis. NaN has no certain place. */
import { topK1 } from '../functions/index.js';
import type { Value } from '../graph/value.js';
import { argumentError, readOptions } from '../values/arguments.js';
import { describe, fieldError } from '../values/errors.js';
import type { Tensor } from '../api/memory/tensor.js';
import { axisOf } from './axes.js';
import { define } from './define.js';
import { arrayOf, as, wholeOption } from './values.js';
import type { Input, Output, TypeOf } from './types.js';

type Float = Value<'float32'>;

/** Options of `sort` and `argsort`. */
export interface SortOptions {
  /** Default: the last one. */
  readonly axis?: number | undefined;
  /** Whether the largest comes first. Default: false. Equal elements stay in their order in either case. */
  readonly descending?: boolean | undefined;
}

/** The first `count` in order, and their indices. */
function ordered(x: Value, axis: number, k: number, isDescending: boolean) {
  const { outputValueTensor, outputIndexTensor } = topK1(x as Float, {
    axis,
    k,
    axisDirection: isDescending ? 'decreasing' : 'increasing',
  });
  return { values: outputValueTensor as Value, indices: as(outputIndexTensor, 'int32') };
}

function sorted(method: string, x: unknown, options: unknown) {
  const value = arrayOf(method, x);
  const read = readOptions(method, options, ['axis', 'descending']);
  const isDescending = read.get('descending') ?? false;
  if (typeof isDescending !== 'boolean') throw argumentError(method, 'descending', 'true or false', isDescending);
  const axis = axisOf(method, read.get('axis') ?? -1, value.sizes.length);
  return ordered(value, axis, value.sizes[axis] ?? 1, isDescending);
}

/** The elements in order along an axis. */
export const sort = define('sort', (x: unknown, options: unknown) => sorted('sort', x, options).values) as <A extends Input>(
  x: A,
  options?: SortOptions,
) => Output<[A], TypeOf<A>>;

/** The indices of the elements in order along an axis. */
export const argsort = define('argsort', (x: unknown, options: unknown) => sorted('argsort', x, options).indices) as <
  A extends Input,
>(
  x: A,
  options?: SortOptions,
) => Output<[A], 'int32'>;

/** Options of `topK`. */
export interface TopKOptions {
  /** Default: the last one. */
  readonly axis?: number | undefined;
  /** Whether the largest are taken, instead of the smallest. Default: true. */
  readonly largest?: boolean | undefined;
}

/** Elements in order and their indices: values if the array is one, else promised tensors. */
export type Ordered<A> =
  Output<[A], TypeOf<A>> extends infer Made
    ? Made extends Promise<infer T>
      ? Promise<{ readonly values: T; readonly indices: Tensor<'int32'> }>
      : { readonly values: Made; readonly indices: Value<'int32'> }
    : never;

/** The `k` largest elements along an axis, the largest first, and their indices. */
export const topK = define('topK', (x: unknown, k: unknown, options: unknown) => {
  const value = arrayOf('topK', x);
  const read = readOptions('topK', options, ['axis', 'largest']);
  const axis = axisOf('topK', read.get('axis') ?? -1, value.sizes.length);
  const count = wholeOption('topK', 'k', k, 1);
  const size = value.sizes[axis] ?? 1;
  if (count > size) throw fieldError('ERR_OUT_OF_RANGE', { operator: 'topK', field: 'k' }, `1 to ${size}`, describe(count));
  return ordered(value, axis, count, read.get('largest') !== false);
}) as <A extends Input>(x: A, k: number, options?: TopKOptions) => Ordered<A>;
