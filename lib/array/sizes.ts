/** Sizes as programs give them. */
import { productOf } from '../tensors/tensor-size.js';
import { argumentError } from '../values/arguments.js';
import { describe, fieldError, list } from '../values/errors.js';

type Sizes = readonly number[];

/** As many sizes; one that is -1 becomes what is left of `count` elements. */
export function sizesOf(method: string, sizes: unknown, count?: number, from?: Sizes): Sizes {
  const given: readonly unknown[] = Array.isArray(sizes) ? sizes : [sizes];
  const isSize = (size: unknown): size is number =>
    typeof size === 'number' && Number.isInteger(size) && (size > 0 || (size === -1 && count !== undefined));
  if (!given.every(isSize) || given.filter((size) => size === -1).length > 1) {
    const rest = count === undefined ? '' : ', one of which may be -1';
    throw argumentError(method, 'sizes', `whole numbers from 1 on${rest}`, sizes);
  }
  if (count === undefined) return given;
  const known = productOf(given.filter((size) => size !== -1));
  const found = given.map((size) => (size === -1 ? count / known : size));
  if (productOf(found) === count && found.every(Number.isInteger)) return found;
  throw fieldError(
    'ERR_SIZES',
    { operator: method, field: 'sizes' },
    `sizes of ${count} elements, as ${list(from ?? [])} has`,
    describe(given),
  );
}
