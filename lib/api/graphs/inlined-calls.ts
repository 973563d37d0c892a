/** Calls of a traced function with values of a graph: what it adds is a part of that graph. */
import { types } from 'node:util';
import type { DirectMLError } from '../../values/errors.js';
import { withPath } from './jit-errors.js';

/** The most calls with equal keys that run at the same time. If there are more, they are inside each other without end. */
const maxCalls = 500;

export class InlinedCalls {
  readonly #label: string;
  readonly #endless: () => DirectMLError;
  /** By key, the calls that have not settled. */
  readonly #running = new Map<string, number>();

  constructor(label: string, endless: () => DirectMLError) {
    this.#label = label;
    this.#endless = endless;
  }

  /** The result, or a promise for that of an async function. */
  call(key: string, work: () => unknown): unknown {
    if (this.#change(key, 1) > maxCalls) {
      this.#change(key, -1);
      throw this.#endless();
    }
    let result: unknown;
    try {
      result = work();
    } catch (error) {
      this.#change(key, -1);
      throw withPath(error, this.#label);
    }
    if (types.isPromise(result)) return this.#settled(key, result);
    this.#change(key, -1);
    return result;
  }

  async #settled(key: string, result: Promise<unknown>): Promise<unknown> {
    try {
      return await result;
    } catch (error) {
      throw withPath(error, this.#label);
    } finally {
      this.#change(key, -1);
    }
  }

  /** Returns the new number. */
  #change(key: string, by: number): number {
    const count = (this.#running.get(key) ?? 0) + by;
    if (count === 0) this.#running.delete(key);
    else this.#running.set(key, count);
    return count;
  }
}
