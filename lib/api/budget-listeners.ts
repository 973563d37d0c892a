/** The listeners that a device calls when its memory budget shrinks. */
import type { DeviceMemory } from '../backends/device-memory.js';
import { argumentError } from '../values/arguments.js';
import type { DeviceContext } from './device-context.js';

type BudgetListener = (memory: DeviceMemory) => void;

export class BudgetListeners {
  readonly #context: DeviceContext;
  /** One entry per registration, because a listener may be registered twice. */
  readonly #listeners = new Map<object, BudgetListener>();
  #isWatching = false;

  constructor(context: DeviceContext) {
    this.#context = context;
  }

  add(listener: BudgetListener): Disposable {
    if (typeof listener !== 'function') throw argumentError('onBudgetShrink', 'listener', 'a function', listener);
    if (!this.#isWatching) this.#context.backend.onBudgetShrink(() => this.#tell());
    this.#isWatching = true;
    const registration = { [Symbol.dispose]: () => void this.#listeners.delete(registration) };
    this.#listeners.set(registration, listener);
    return registration;
  }

  #tell(): void {
    const memory = this.#context.backend.memory();
    // Each runs in its own task: its error becomes an uncaught exception, as in an event listener, and does not stop the
    // others.
    for (const [registration, listener] of this.#listeners) {
      queueMicrotask(() => {
        if (this.#listeners.has(registration)) listener(memory);
      });
    }
  }
}
