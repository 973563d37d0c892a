/** Waits for functions of the program, which may never settle, no longer than until the device ends. */
import { nextTurn } from './event-loop.js';

/** Something that ends, such as a device. */
export class Ending {
  readonly #listeners = new Set<() => void>();

  /** Calls back at the end. Returns a function that takes that back. */
  add(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  end(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/**
 * What the work gives. If something ends before, the work has a turn of the event loop to settle by itself: it may have noticed
 * the end, too.
 *
 * @param check Throws the error for the end.
 */
export async function untilEnd<T>(endings: readonly Ending[], check: () => void, work: () => T | Promise<T>): Promise<T> {
  const removers: (() => void)[] = [];
  let isOver = false;
  const ended = new Promise<never>((resolve) => {
    const listener = () => {
      // A device that is lost may be disposed of, too.
      if (isOver) return;
      isOver = true;
      resolve(checkAfterTurn(check));
    };
    for (const ending of endings) removers.push(ending.add(listener));
  });
  try {
    return await Promise.race([work(), ended]);
  } finally {
    for (const remove of removers) remove();
  }
}

async function checkAfterTurn(check: () => void): Promise<never> {
  await nextTurn();
  check();
  return new Promise<never>(() => undefined);
}
