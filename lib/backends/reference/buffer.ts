/** Buffers of the reference backend, and ranges of them. */
import { DirectMLError } from '../../errors.js';
import type { BackendBuffer, BufferRange } from '../backend.js';
import type { BufferBytes } from './buffer-bytes.js';

export class ReferenceBuffer implements BackendBuffer {
  readonly sizeInBytes: number;
  bytes: Uint8Array;
  readonly #counted: BufferBytes | null;

  /** `counted` counts the buffer from now on. */
  constructor(sizeInBytes: number, counted: BufferBytes | null = null, bytes: Uint8Array = allocate(sizeInBytes)) {
    this.sizeInBytes = sizeInBytes;
    this.bytes = bytes;
    this.#counted = counted;
    counted?.add(this, sizeInBytes);
  }

  setLabel(): void {
    // Labels are for GPU debuggers, which do not see this buffer.
  }

  dispose(): void {
    this.bytes = new Uint8Array(0);
    this.#counted?.remove(this, this.sizeInBytes);
  }
}

export function bytesOf(buffer: BackendBuffer): Uint8Array {
  if (!(buffer instanceof ReferenceBuffer)) throw new TypeError('the buffer belongs to another backend');
  return buffer.bytes;
}

/** The bytes of a range; nothing is copied. */
export function bytesIn({ buffer, offset, sizeInBytes }: BufferRange): Uint8Array {
  return bytesOf(buffer).subarray(offset, offset + sizeInBytes);
}

export function copyOf(range: BufferRange): BufferRange {
  const { sizeInBytes } = range;
  const buffer = new ReferenceBuffer(sizeInBytes);
  buffer.bytes.set(bytesIn(range));
  return { buffer, offset: 0, sizeInBytes };
}

function allocate(sizeInBytes: number): Uint8Array {
  try {
    return new Uint8Array(sizeInBytes);
  } catch (cause) {
    throw outOfMemory(sizeInBytes, cause);
  }
}

export function outOfMemory(sizeInBytes: number, cause: unknown): DirectMLError {
  return new DirectMLError('ERR_OUT_OF_MEMORY', `a buffer of ${sizeInBytes} bytes cannot be allocated`, { cause });
}
