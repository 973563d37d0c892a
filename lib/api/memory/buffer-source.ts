/** Returns the bytes of arrays and buffers. It uses built-in getters, because the object's own properties may lie. */
import type { Place } from '../../values/errors.js';
import { argumentError } from '../../values/arguments.js';
import { getterOf, typedArrayName } from '../../values/typed-array-name.js';

/** Data for {@link DirectMLBuffer.write}: a typed array, a DataView, an ArrayBuffer or a SharedArrayBuffer. */
export type BufferSource = ArrayBufferView | ArrayBufferLike;

const typedArrayPrototype: unknown = Object.getPrototypeOf(Uint8Array.prototype);
const typedArrayPart = partsOf(typedArrayPrototype);
const dataViewPart = partsOf(DataView.prototype);
const arrayBufferLength = getterOf(ArrayBuffer.prototype, 'byteLength');
const sharedArrayBufferLength = getterOf(SharedArrayBuffer.prototype, 'byteLength');
/** Throws if the buffer of a typed array was detached or is now too short for it. Its `length` would be 0 instead. */
// eslint-disable-next-line @typescript-eslint/unbound-method -- every call passes an array as `this`
const typedArrayKeys: (this: unknown) => unknown = Uint8Array.prototype.keys;

/**
 * Returns a view of the bytes; nothing is copied.
 *
 * @throws {DirectMLError} ERR_INVALID_ARGUMENT for a value of another type, or if its memory was detached or shrunk.
 */
export function bytesOf(
  { operator, field }: Place,
  data: unknown,
  expected = 'a typed array, a DataView or an ArrayBuffer',
): Uint8Array {
  let bytes: Uint8Array | null;
  try {
    bytes = viewOf(data);
  } catch {
    throw argumentError(operator, field, `${expected} that is not detached or cut off`, data);
  }
  if (bytes === null) throw argumentError(operator, field, expected, data);
  return bytes;
}

export function isBufferSource(value: unknown): value is BufferSource {
  return ArrayBuffer.isView(value) || isMemory(value);
}

/** Returns null for a value of another type. @throws {TypeError} if the memory was detached or shrunk. */
function viewOf(data: unknown): Uint8Array | null {
  const isTypedArray = typedArrayName(data) !== undefined;
  if (isTypedArray) typedArrayKeys.call(data);
  const part = isTypedArray ? typedArrayPart : ArrayBuffer.isView(data) ? dataViewPart : null;
  const memory = part === null ? data : part.buffer(data);
  const length = memoryLength(memory);
  if (length === null || !isMemory(memory)) return null;
  return part === null
    ? new Uint8Array(memory, 0, length)
    : new Uint8Array(memory, Number(part.byteOffset(data)), Number(part.byteLength(data)));
}

function isMemory(value: unknown): value is ArrayBufferLike {
  return memoryLength(value) !== null;
}

/** The length in bytes of an ArrayBuffer or SharedArrayBuffer of any realm; null for any other value. */
function memoryLength(value: unknown): number | null {
  for (const lengthOf of [arrayBufferLength, sharedArrayBufferLength]) {
    try {
      return Number(lengthOf(value));
    } catch {
      // The getter throws for a value of another class.
    }
  }
  return null;
}

function partsOf(prototype: unknown) {
  return {
    buffer: getterOf(prototype, 'buffer'),
    byteOffset: getterOf(prototype, 'byteOffset'),
    byteLength: getterOf(prototype, 'byteLength'),
  };
}
