/** Sizes to which arrays can be repeated. */
import { bothSizes } from '../functions/broadcast.js';
import { fieldError, list } from '../values/errors.js';
import type { Viewed } from './define.js';

type Sizes = readonly number[];

/** The sizes that all have together. */
export function commonSizes(method: string, arrays: readonly Pick<Viewed, 'sizes'>[]): Sizes {
  return arrays.reduce<Sizes>((common, { sizes }, i) => {
    const both = bothSizes(common, sizes);
    if (both !== null) return both;
    const place = { operator: method, field: `arrays[${i}].sizes` };
    throw fieldError('ERR_SIZES', place, `sizes that broadcast with ${list(common)}`, list(sizes));
  }, arrays[0]?.sizes ?? []);
}
