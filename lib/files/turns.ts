/** Lets the event loop run during long work of JavaScript. */
import { waitFor, type Wait } from '../api/abortable.js';

/** In bytes of JSON, the work of a turn of the event loop: some milliseconds. */
const workPerTurn = 2 ** 16;

/** `if (turns.isDue(work)) await turns.next();` in the loop of the work. Other promises, timers and signals go on meanwhile. */
export class Turns {
  readonly #wait: Wait | null;
  #left = workPerTurn;

  constructor(wait: Wait | null) {
    this.#wait = wait;
  }

  /** @param work What was done since the last call, as the bytes of JSON that take as long. */
  isDue(work: number): boolean {
    this.#left -= work;
    return this.#left <= 0;
  }

  /** @throws {DirectMLError} (as a rejection) ERR_ABORTED if the signal is aborted. */
  async next(): Promise<void> {
    this.#left = workPerTurn;
    await waitFor(this.#wait, () => new Promise((resolve) => setImmediate(resolve)));
  }
}
