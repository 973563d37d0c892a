/** Counts the bytes of buffers until they are disposed or collected, and keeps the limit of the device. */
import { overMemoryLimit } from '../memory-limit.js';

/** The engine's own, saved now because a program may replace the global later. */
const { FinalizationRegistry } = globalThis;

export class BufferBytes {
  readonly #limit: number | null;
  #total = 0;
  readonly #collected = new FinalizationRegistry((sizeInBytes: number) => {
    this.#total -= sizeInBytes;
  });

  constructor(limit: number | null = null) {
    this.#limit = limit;
  }

  get total(): number {
    return this.#total;
  }

  /** @throws {DirectMLError} ERR_OUT_OF_MEMORY if the limit has no room for a buffer of the size. */
  require(sizeInBytes: number): void {
    if (this.#limit === null || this.#total + sizeInBytes <= this.#limit) return;
    throw overMemoryLimit(this.#limit, this.#limit - this.#total, sizeInBytes);
  }

  add(buffer: object, sizeInBytes: number): void {
    this.#total += sizeInBytes;
    this.#collected.register(buffer, sizeInBytes, buffer);
  }

  remove(buffer: object, sizeInBytes: number): void {
    if (this.#collected.unregister(buffer)) this.#total -= sizeInBytes;
  }
}
