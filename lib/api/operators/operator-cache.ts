/** The compiled operators of a device that are in use, with the number of their users. */
import type { BackendDispatchable } from '../../backends/backend.js';
import { plainTextOf } from '../../values/given.js';
import type { Resolved } from '../../descriptors/resolved.js';

/** A string that is the same for equal operators, or a symbol for an operator that is not shared. */
export type OperatorKey = string | symbol;

/** The compiled operators in use, by key. Equal operators share one native operator, which the last user disposes of. */
export class OperatorCache {
  readonly #entries = new Map<OperatorKey, CacheEntry>();

  /** Returns a handle of the operator for one more user. Compiles the operator for the first user. */
  async acquire(key: OperatorKey, compile: () => Promise<BackendDispatchable>): Promise<OperatorHandle> {
    const found = this.#entries.get(key);
    const entry = found ?? { users: 0, operator: compile() };
    if (found === undefined) this.#entries.set(key, entry);
    entry.users += 1;
    try {
      const operator = await entry.operator;
      return new OperatorHandle(operator, () => this.#release(key, entry, operator));
    } catch (error) {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
      throw error;
    }
  }

  get size(): number {
    return this.#entries.size;
  }

  clear(): void {
    this.#entries.clear();
  }

  #release(key: OperatorKey, entry: CacheEntry, operator: BackendDispatchable): void {
    entry.users -= 1;
    if (entry.users > 0 || this.#entries.get(key) !== entry) return;
    this.#entries.delete(key);
    operator.dispose();
  }
}

interface CacheEntry {
  users: number;
  readonly operator: Promise<BackendDispatchable>;
}

/** One user's reference to a compiled operator. Only the first `release` has an effect. */
export class OperatorHandle {
  readonly operator: BackendDispatchable;
  #release: (() => void) | null;

  constructor(operator: BackendDispatchable, release: () => void) {
    this.operator = operator;
    this.#release = release;
  }

  release(): void {
    this.#release?.();
    this.#release = null;
  }
}

/** A text with every field and flag: it is the same only for equal operators. */
export function cacheKey(operator: Resolved, flags: Readonly<Record<string, boolean>>): string {
  return `${plainTextOf(operator)} ${plainTextOf(flags)}`;
}
