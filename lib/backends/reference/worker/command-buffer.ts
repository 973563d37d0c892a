/**
 * Commands for the worker that were recorded and not sent yet. protocol.ts has their form. What adds to a command uses nothing that
 * a program may have replaced: such a function could record another command in the middle of this one.
 */
import type { Batch } from './protocol.js';

/** The engine's own, saved now because a program may replace the global later. */
const { Float64Array } = globalThis;

/** How many numbers are worth a message of their own. */
const FULL = 4096;

export class CommandBuffer {
  #capacity = 2 * FULL;
  #numbers = new Float64Array(this.#capacity);
  #length = 0;
  /** Has no prototype, on which a program may have defined setters. */
  #values: Record<string, unknown> = { __proto__: null };
  #valueCount = 0;
  /** Memory among the values that is moved to the worker instead of copied. */
  #moved: ArrayBuffer[] = [];

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  get isFull(): boolean {
    return this.#length >= FULL;
  }

  add(number: number): void {
    if (this.#length === this.#capacity) this.#resize(2 * this.#capacity);
    this.#numbers[this.#length++] = number;
  }

  addValue(value: unknown): void {
    this.#values[this.#valueCount++] = value;
  }

  /** Adds bytes that nobody else uses. They end the command. */
  addBytes(bytes: Uint8Array<ArrayBuffer>): void {
    this.addValue(bytes);
    this.#moved.push(bytes.buffer);
  }

  /** Returns what was recorded, and the memory to move with it. The command buffer is empty then. */
  take(): { readonly batch: Batch; readonly moved: readonly ArrayBuffer[] } {
    const numbers = firstOf(this.#numbers, this.#length, this.#length);
    const taken = { batch: { numbers, values: this.#values }, moved: this.#moved };
    this.#length = 0;
    this.#values = { __proto__: null };
    this.#valueCount = 0;
    this.#moved = [];
    if (this.#capacity > 2 * FULL) this.#resize(2 * FULL);
    return taken;
  }

  #resize(capacity: number): void {
    this.#capacity = capacity;
    this.#numbers = firstOf(this.#numbers, this.#length, capacity);
  }
}

/** The first `count` numbers, in a new array. */
function firstOf(numbers: Float64Array, count: number, length: number): Float64Array<ArrayBuffer> {
  const first = new Float64Array(length);
  for (let i = 0; i < count; i++) first[i] = numbers[i] ?? NaN;
  return first;
}
