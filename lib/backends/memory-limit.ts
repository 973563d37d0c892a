/** The error of an allocation that the option `memoryLimit` of a device has no room for. */
import { fieldError, type DirectMLError } from '../values/errors.js';

/** What the addon names as the wrong field. */
export const limitField = 'memoryLimit';

/** All sizes are in bytes; `rest` is what the limit leaves. */
export function overMemoryLimit(limit: number, rest: number, size: number, operator = 'device'): DirectMLError {
  const expected = `at most ${rest} bytes, which are left of ${limit}`;
  const why = 'dispose of tensors, or give createDevice a larger memoryLimit';
  return fieldError('ERR_OUT_OF_MEMORY', { operator, field: limitField }, expected, `${size} bytes to allocate`, { why });
}
