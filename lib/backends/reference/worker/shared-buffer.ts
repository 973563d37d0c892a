/** Buffers in memory that the JavaScript thread and the worker share. */
import type { BackendBuffer, BufferRange } from '../../backend.js';
import type { BufferBytes } from '../buffer-bytes.js';
import { countMemory } from '../count-memory.js';
import { allocated } from '../out-of-memory.js';

/** The engine's own, saved now because a program may replace the global later. */
const { SharedArrayBuffer, Uint8Array } = globalThis;

/** What disposes of buffers in the worker. */
interface BufferRecorder {
  releaseBuffer(buffer: SharedBuffer): void;
}

export class SharedBuffer implements BackendBuffer {
  readonly sizeInBytes: number;
  readonly memory = this;
  readonly base = 0;
  bytes: Uint8Array;
  /** 0 until the worker knows the buffer. */
  number = 0;
  /** The position of the last command that uses it. */
  lastUse = 0;
  /** How many reads are still to take bytes from it. */
  readers = 0;
  readonly #recorder: BufferRecorder;
  readonly #counted: BufferBytes | null;

  /**
   * `counted` counts the buffer from now on.
   *
   * @throws {DirectMLError} ERR_OUT_OF_MEMORY.
   */
  constructor(sizeInBytes: number, recorder: BufferRecorder, counted: BufferBytes | null = null) {
    counted?.require(sizeInBytes);
    this.sizeInBytes = sizeInBytes;
    this.bytes = allocate(sizeInBytes);
    this.#recorder = recorder;
    this.#counted = counted;
    counted?.add(this, sizeInBytes);
  }

  setLabel(): void {
    // Labels are for GPU debuggers, which do not see this buffer.
  }

  dispose(): void {
    this.#recorder.releaseBuffer(this);
    this.#counted?.remove(this, this.sizeInBytes);
    this.bytes = new Uint8Array(0);
  }
}

export function sharedBufferOf(buffer: BackendBuffer): SharedBuffer {
  if (!(buffer instanceof SharedBuffer)) throw new TypeError('the buffer belongs to another backend');
  return buffer;
}

/** The buffers of the ranges, those of null left out. */
export function buffersOf(ranges: readonly (BufferRange | null)[]): readonly SharedBuffer[] {
  return ranges.flatMap((range) => (range === null ? [] : [sharedBufferOf(range.buffer)]));
}

export function wholeOf(buffer: SharedBuffer): BufferRange {
  return { buffer, offset: 0, sizeInBytes: buffer.sizeInBytes };
}

function allocate(sizeInBytes: number): Uint8Array {
  return allocated('a buffer', sizeInBytes, () => countedBytes(new SharedArrayBuffer(sizeInBytes)));
}

/** The bytes of shared memory. The engine counts the memory. An error about the length names it only if the length is given. */
export function countedBytes(memory: SharedArrayBuffer): Uint8Array {
  const bytes = new Uint8Array(memory, 0, memory.byteLength);
  countMemory(memory, memory.byteLength);
  return bytes;
}
