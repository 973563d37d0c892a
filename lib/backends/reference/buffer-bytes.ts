/** Counts the bytes of buffers until they are disposed or collected. */

/** The engine's own, saved now because a program may replace the global later. */
const { FinalizationRegistry } = globalThis;

export class BufferBytes {
  #total = 0;
  readonly #collected = new FinalizationRegistry((sizeInBytes: number) => {
    this.#total -= sizeInBytes;
  });

  get total(): number {
    return this.#total;
  }

  add(buffer: object, sizeInBytes: number): void {
    this.#total += sizeInBytes;
    this.#collected.register(buffer, sizeInBytes, buffer);
  }

  remove(buffer: object, sizeInBytes: number): void {
    if (this.#collected.unregister(buffer)) this.#total -= sizeInBytes;
  }
}
