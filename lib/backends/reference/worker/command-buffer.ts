/** Commands for the worker that were recorded and not sent yet. protocol.ts has their form. */
import type { Batch } from './protocol.js';

/** The engine's own, saved now because a program may replace the global later. */
const { Float64Array } = globalThis;

/** How many numbers are worth a message of their own. */
const FULL = 4096;

export class CommandBuffer {
  #numbers = new Float64Array(2 * FULL);
  #length = 0;
  #values: unknown[] = [];
  /** Memory among the values that is moved to the worker instead of copied. */
  #moved: ArrayBuffer[] = [];

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  get isFull(): boolean {
    return this.#length >= FULL;
  }

  add(number: number): void {
    if (this.#length === this.#numbers.length) this.#grow();
    this.#numbers[this.#length++] = number;
  }

  addValue(value: unknown): void {
    this.#values.push(value);
  }

  /** Adds bytes that nobody else uses. */
  addBytes(bytes: Uint8Array<ArrayBuffer>): void {
    this.#values.push(bytes);
    this.#moved.push(bytes.buffer);
  }

  /** Returns what was recorded, and the memory to move with it. The command buffer is empty then. */
  take(): { readonly batch: Batch; readonly moved: readonly ArrayBuffer[] } {
    const numbers = this.#numbers.slice(0, this.#length);
    const taken = { batch: { numbers, values: this.#values }, moved: [...this.#moved, numbers.buffer] };
    this.#length = 0;
    this.#values = [];
    this.#moved = [];
    if (this.#numbers.length > 2 * FULL) this.#numbers = new Float64Array(2 * FULL);
    return taken;
  }

  #grow(): void {
    const grown = new Float64Array(2 * this.#numbers.length);
    grown.set(this.#numbers);
    this.#numbers = grown;
  }
}
