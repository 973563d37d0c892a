/** Tells a lack of memory from all other errors, such as a bug or a stack that is too deep: the engine has one class for all. */
import { DirectMLError } from '../../errors.js';

/** No array of this package has as many elements, and no view of one. Engines that cannot have so many say only that. */
const TOO_MANY = 2 ** 32;

/** What the engine says if it cannot allocate the memory of an array. */
const FAILED = 'Array buffer allocation failed';

export function isLackOfMemory(error: unknown): error is RangeError {
  if (!(error instanceof RangeError)) return false;
  const { message } = error;
  return message === FAILED || Number(/^Invalid (?:typed array|array buffer) length: (\d+)$/.exec(message)?.[1] ?? 0) >= TOO_MANY;
}

/**
 * Makes something with so many bytes.
 *
 * @throws {DirectMLError} ERR_OUT_OF_MEMORY; what `make` throws otherwise.
 */
export function allocated<T>(what: string, sizeInBytes: number, make: () => T): T {
  try {
    return make();
  } catch (cause) {
    if (!isLackOfMemory(cause)) throw cause;
    throw new DirectMLError('ERR_OUT_OF_MEMORY', `${what} of ${sizeInBytes} bytes cannot be allocated`, { cause });
  }
}
