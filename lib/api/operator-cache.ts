/** A device's compiled operators by descriptor, counted: who compiles the same descriptor again gets the same one. */
import type { BackendDispatchable } from '../backends/backend.js';
import type { Resolved } from '../validation/resolved.js';

/** A string that tells equal operators, or a symbol for one that is like no other. */
export type OperatorKey = string | symbol;

export class OperatorCache {
  readonly #entries = new Map<OperatorKey, CacheEntry>();

  /** Counts one more user of the operator, and compiles it for the first. */
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

/** One user's hold on a compiled operator; lets go once. */
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

/** The operators that ran last, kept compiled although nobody else uses them. The least recently used one goes first. */
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

  /** Takes over the handle of the entry. */
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

  /** Forgets all of them without a release, when the device goes. */
  clear(): void {
    this.#entries.clear();
  }
}

/** The same for equal operators only, of which it is a text with every field. */
export function cacheKey(operator: Resolved, flags: Readonly<Record<string, boolean>>): string {
  return `${textOf(operator)} ${textOf(flags)}`;
}

/** What JSON.stringify gives would be up to `toJSON` methods, which programs give to bigints, for one. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([name, field]) => `${name}:${textOf(field)}`)
      .join()}}`;
  }
  if (typeof value === 'bigint') return `${value}n`;
  return Object.is(value, -0) ? '-0' : String(value);
}
