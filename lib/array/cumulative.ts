/** Functions of each element and those before it along an axis. */
import { cumulativeProduct, cumulativeSummation, elementWiseSubtract, padding1 } from '../functions/index.js';
import type { Value } from '../graph/value.js';
import { argumentError, readOptions } from '../values/arguments.js';
import { fieldError } from '../values/errors.js';
import { axisOf } from './axes.js';
import { define } from './define.js';
import { part } from './parts.js';
import { arrayOf, as, wholeOption, wide } from './values.js';
import type { Input, Output, Sum, TypeOf } from './types.js';

/** Options of `cumulativeSum` and `cumulativeProd`. */
export interface CumulativeOptions {
  /** May be left out if there is only one. */
  readonly axis?: number | undefined;
  /** Whether the result begins with the sum or the product of no elements. Default: false. */
  readonly includeInitial?: boolean | undefined;
}

const cumulative = (name: string, operator: typeof cumulativeSummation, initial: number) =>
  define(name, (x: unknown, options: unknown) => {
    const value = wide(arrayOf(name, x));
    const read = readOptions(name, options, ['axis', 'includeInitial']);
    const count = value.sizes.length;
    const given = read.get('axis');
    if (given === undefined && count > 1)
      throw argumentError(name, 'axis', `a whole number, as the array has ${count} dimensions`, given);
    const axis = axisOf(name, given ?? 0, count);
    const startPadding = value.sizes.map((_, place) => Number(place === axis));
    const endPadding = value.sizes.map(() => 0);
    const whole =
      read.get('includeInitial') === true
        ? padding1(value as Value<'float32'>, { paddingValue: initial, startPadding, endPadding })
        : (value as Value<'float32'>);
    return operator(whole, { axis });
  }) as <A extends Input>(x: A, options?: CumulativeOptions) => Output<[A], Sum<TypeOf<A>>>;

/** The sum of the elements up to each. */
export const cumulativeSum = cumulative('cumulativeSum', cumulativeSummation, 0);
/** The product of the elements up to each. */
export const cumulativeProd = cumulative('cumulativeProd', cumulativeProduct, 1);

/** Differences of neighbours along an axis, by default the last; `n` times. Of integers, modulo 2 to the power of their bits. */
export const diff = define('diff', (x: unknown, options: unknown) => {
  const value = arrayOf('diff', x);
  const read = readOptions('diff', options, ['axis', 'n']);
  const axis = axisOf('diff', read.get('axis') ?? -1, value.sizes.length);
  const times = wholeOption('diff', 'n', read.get('n') ?? 1, 1);
  const size = value.sizes[axis] ?? 1;
  if (times >= size) {
    const why = 'DirectML has no empty tensors';
    throw fieldError('ERR_SIZES', { operator: 'diff', field: 'n' }, `less than the ${size} elements`, `${times}`, { why });
  }
  let result = value;
  for (let i = 0; i < times; i++) {
    const count = (result.sizes[axis] ?? 1) - 1;
    result = elementWiseSubtract(
      part(result, axis, 1, count) as Value<'float32'>,
      part(result, axis, 0, count) as Value<'float32'>,
    );
  }
  return as(result, value.dataType);
}) as <A extends Input>(
  x: A,
  options?: { readonly axis?: number | undefined; readonly n?: number | undefined },
) => Output<[A], TypeOf<A>>;
