/** Buffers of the reference backend, and ranges of them. */
import { partOfBytes } from '../../tensors/bytes.js';
import type { BackendBuffer, BufferRange } from '../backend.js';
import type { BufferBytes } from './buffer-bytes.js';
import { allocated } from './out-of-memory.js';

/** The engine's own, saved now because a program may replace the global later. */
const { Uint8Array } = globalThis;

export class ReferenceBuffer implements BackendBuffer {
  readonly sizeInBytes: number;
  readonly memory = this;
  readonly base = 0;
  bytes: Uint8Array;
  readonly #counted: BufferBytes | null;

  /** `counted` counts the buffer from now on. */
  constructor(sizeInBytes: number, counted: BufferBytes | null = null, bytes: Uint8Array = allocate(sizeInBytes, counted)) {
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
  return partOfBytes(bytesOf(buffer), offset, offset + sizeInBytes);
}

/** True if the ranges have bytes in common. */
export function share(a: BufferRange, b: BufferRange): boolean {
  return a.buffer === b.buffer && a.offset < b.offset + b.sizeInBytes && b.offset < a.offset + a.sizeInBytes;
}

export function copyOf(range: BufferRange): BufferRange {
  const { sizeInBytes } = range;
  const buffer = new ReferenceBuffer(sizeInBytes);
  buffer.bytes.set(bytesIn(range));
  return { buffer, offset: 0, sizeInBytes };
}

/** @throws {DirectMLError} ERR_OUT_OF_MEMORY. */
export function copyOfBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const copy = allocated('a copy', bytes.byteLength, () => new Uint8Array(bytes.byteLength));
  copy.set(bytes);
  return copy;
}

function allocate(sizeInBytes: number, counted: BufferBytes | null): Uint8Array {
  counted?.require(sizeInBytes);
  return allocated('a buffer', sizeInBytes, () => new Uint8Array(sizeInBytes));
}
