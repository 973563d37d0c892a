/**
 * Memory that can be freed once the worker has run certain commands: disposed buffers, and bytes to be written.
 */

/** In bytes. Smaller amounts are reported together. */
const PART = 2 ** 20;

export class HeldMemory {
  /** In the order of their positions. */
  readonly #parts: { position: number; sizeInBytes: number }[] = [];
  #sizeInBytes = 0;

  get sizeInBytes(): number {
    return this.#sizeInBytes;
  }

  /** Holds this many bytes until the command at the position has run. */
  add(position: number, sizeInBytes: number): void {
    this.#sizeInBytes += sizeInBytes;
    const last = this.#parts.at(-1);
    if (last === undefined || last.sizeInBytes >= PART) this.#parts.push({ position, sizeInBytes });
    else Object.assign(last, { position, sizeInBytes: last.sizeInBytes + sizeInBytes });
  }

  /** The worker has run the commands up to the position. */
  free(position: number): void {
    for (let first = this.#parts[0]; first !== undefined && first.position <= position; first = this.#parts[0]) {
      this.#parts.shift();
      this.#sizeInBytes -= first.sizeInBytes;
    }
  }
}
