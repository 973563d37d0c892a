/** The errors of the specification other than TypeErrors. */
import { define } from '../values/define.js';
import { DirectMLError } from '../values/errors.js';

export function invalidState(message: string): DOMException {
  return new DOMException(message, 'InvalidStateError');
}

/** Converts an error of this package to the error that the specification requires, with the original as its cause. */
export function domError(error: unknown, name: 'OperationError' | 'UnknownError' | 'NotSupportedError'): unknown {
  if (!(error instanceof Error)) return error;
  const isGone = error instanceof DirectMLError && ['ERR_DISPOSED', 'ERR_DEVICE_LOST'].includes(error.code);
  const exception = new DOMException(error.message, isGone ? 'InvalidStateError' : name);
  define(exception, 'cause', error, 'writable');
  return exception;
}
