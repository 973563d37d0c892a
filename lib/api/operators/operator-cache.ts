/** Caches of a device's compiled operators: those in use, with the number of their users, and those that ran last. */
import type { BackendDispatchable } from '../../backends/backend.js';
import { numberText } from '../../given.js';
import type { Resolved } from '../../validation/resolved.js';

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

/** Keeps the operators that ran last compiled. Above its capacity it releases the least recently used one. */
export class RecentOperators<Entry extends { readonly handle: OperatorHandle }> {
  readonly #entries = new Map<OperatorKey, Entry>();
  readonly #capacity: number;

  constructor(capacity = 256) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: OperatorKey): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  /** Adds an entry, and releases its handle later. */
  add(key: OperatorKey, entry: Entry): void {
    this.#entries.get(key)?.handle.release();
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (this.#entries.size <= this.#capacity) return;
    for (const [oldest, { handle }] of this.#entries) {
      this.#entries.delete(oldest);
      handle.release();
      return;
    }
  }

  /** Removes all entries without releasing them; called when the device is disposed of. */
  clear(): void {
    this.#entries.clear();
  }
}

/** A text with every field and flag: it is the same only for equal operators. */
export function cacheKey(operator: Resolved, flags: Readonly<Record<string, boolean>>): string {
  return `${textOf(operator)} ${textOf(flags)}`;
}

/** Unlike JSON.stringify, does not call `toJSON` methods, which programs add to BigInt.prototype, for example. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([name, field]) => `${name}:${textOf(field)}`)
      .join()}}`;
  }
  return typeof value === 'number' || typeof value === 'bigint' ? numberText(value) : String(value);
}
