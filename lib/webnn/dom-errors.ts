/** The errors of the specification that are no TypeErrors. */
import { DirectMLError } from '../errors.js';

export function invalidState(message: string): DOMException {
  return new DOMException(message, 'InvalidStateError');
}

/** An error of this package as the specification wants it, with the original as its cause. */
export function domError(error: unknown, name: 'OperationError' | 'UnknownError' | 'NotSupportedError'): unknown {
  if (!(error instanceof Error)) return error;
  const isGone = error instanceof DirectMLError && ['ERR_DISPOSED', 'ERR_DEVICE_LOST'].includes(error.code);
  const exception = new DOMException(error.message, isGone ? 'InvalidStateError' : name);
  Object.defineProperty(exception, 'cause', { value: error, configurable: true, writable: true });
  return exception;
}
