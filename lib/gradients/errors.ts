/** Errors of gradients. */
import { DirectMLError } from '../values/errors.js';

/** `reader` is the operator without a gradient. */
export function noGradient(reader: string, why: string): DirectMLError {
  const message = `grad: ${reader} has no gradient: ${why}; stopGradient excludes a tensor from the gradient`;
  return new DirectMLError('ERR_NO_GRADIENT', message, { operator: reader });
}
