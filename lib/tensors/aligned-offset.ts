import { argumentError, byteCount } from '../values/arguments.js';
import { minimumAlignment } from './data-types.js';

/** Checks the argument `offset` of a tensor in a buffer: a number of bytes, and a multiple of the minimum alignment. */
export function alignedOffset(method: string, value: unknown): number {
  const offset = byteCount(method, 'offset', value);
  if (offset % minimumAlignment === 0) return offset;
  throw argumentError(method, 'offset', `a multiple of ${minimumAlignment}`, offset, 'ERR_BINDING_RANGE');
}
