/**
 * Distinguishes a lack of memory from other errors, such as a bug or a stack overflow, for which the engine uses the same
 * class.
 */
import { DirectMLError } from '../../values/errors.js';

/** More elements than any array or view of this package has. For such a length, engines report only that it is too large. */
const TOO_MANY = 2 ** 32;

/** The engine's message if it cannot allocate the memory of an array. */
const FAILED = 'Array buffer allocation failed';

/** The engine's messages for an array that is too long, before its length. */
const tooLong = ['Invalid typed array length: ', 'Invalid array buffer length: '];

export function isLackOfMemory(error: unknown): error is RangeError {
  if (!(error instanceof RangeError)) return false;
  return error.message === FAILED || isTooLong(error);
}

/** Without a regular expression: the engine cannot compile one if the stack is nearly full, and says that it is wrong. */
function isTooLong({ message }: Error): boolean {
  const start = tooLong.find((text) => message.startsWith(text));
  return start !== undefined && Number(message.slice(start.length)) >= TOO_MANY;
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
    const reason = isTooLong(cause) ? ': in this Node.js, no array is that long' : '';
    throw new DirectMLError('ERR_OUT_OF_MEMORY', `${what} of ${sizeInBytes} bytes cannot be allocated${reason}`, { cause });
  }
}
