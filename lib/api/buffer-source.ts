/** The bytes of what a user hands in: asked of the engine, not of the object, which may say anything of itself. */
import { argumentError } from './arguments.js';
import { getterOf, typedArrayName } from '../data-types/typed-array-name.js';

/** Bytes to write: any typed array, a DataView, an ArrayBuffer or a SharedArrayBuffer. */
export type BufferSource = ArrayBufferView | ArrayBufferLike;

const typedArrayPrototype: unknown = Object.getPrototypeOf(Uint8Array.prototype);
const typedArrayPart = partsOf(typedArrayPrototype);
const dataViewPart = partsOf(DataView.prototype);
const arrayBufferLength = getterOf(ArrayBuffer.prototype, 'byteLength');
const sharedArrayBufferLength = getterOf(SharedArrayBuffer.prototype, 'byteLength');
/** Throws for a typed array that its buffer, detached or shrunk, no longer holds; its length is then 0. */
// eslint-disable-next-line @typescript-eslint/unbound-method -- called with whatever array it is asked about
const typedArrayKeys: (this: unknown) => unknown = Uint8Array.prototype.keys;

/**
 * A view of the bytes of any source.
 *
 * @throws {DirectMLError} ERR_INVALID_ARGUMENT for anything else, and for one whose memory is gone.
 */
export function bytesOf(method: string, data: unknown): Uint8Array {
  const expected = 'a typed array, a DataView or an ArrayBuffer';
  let bytes: Uint8Array | null;
  try {
    bytes = viewOf(data);
  } catch {
    throw argumentError(method, 'data', `${expected} that is not detached or cut off`, data);
  }
  if (bytes === null) throw argumentError(method, 'data', expected, data);
  return bytes;
}

/** @throws {TypeError} where the memory is gone. */
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

/** Null for what is no ArrayBuffer and no SharedArrayBuffer, of whatever realm. */
function memoryLength(value: unknown): number | null {
  for (const lengthOf of [arrayBufferLength, sharedArrayBufferLength]) {
    try {
      return Number(lengthOf(value));
    } catch {
      // It is not of this kind.
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
