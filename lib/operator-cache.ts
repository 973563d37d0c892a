/** A device's compiled operators by descriptor, counted: who compiles the same descriptor again gets the same one. */
import type { BackendOperator } from './backends/backend.js';
import type { ResolvedOperator } from './validation/resolved.js';

/** A string that tells equal operators, or a symbol for one that is like no other. */
export type OperatorKey = string | symbol;

export class OperatorCache {
  readonly #entries = new Map<OperatorKey, CacheEntry>();

  /** Counts one more user of the operator, and compiles it for the first. */
  async acquire(key: OperatorKey, compile: () => Promise<BackendOperator>): Promise<OperatorHandle> {
    const found = this.#entries.get(key);
    const entry = found ?? { users: 0, operator: compile() };
    if (found === undefined) this.#entries.set(key, entry);
    entry.users += 1;
    try {
      return new OperatorHandle(await entry.operator, () => this.#release(key, entry));
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

  #release(key: OperatorKey, entry: CacheEntry): void {
    entry.users -= 1;
    if (entry.users > 0 || this.#entries.get(key) !== entry) return;
    this.#entries.delete(key);
    void entry.operator.then((operator) => operator.dispose());
  }
}

interface CacheEntry {
  users: number;
  readonly operator: Promise<BackendOperator>;
}

/** One user's hold on a compiled operator; lets go once. */
export class OperatorHandle {
  readonly operator: BackendOperator;
  #release: (() => void) | null;

  constructor(operator: BackendOperator, release: () => void) {
    this.operator = operator;
    this.#release = release;
  }

  release(): void {
    this.#release?.();
    this.#release = null;
  }
}

/** The same for equal operators only. JSON, with what it lacks: bigints, negative zero, infinities and NaN. */
export function cacheKey(operator: ResolvedOperator, flags: Readonly<Record<string, boolean>>): string {
  return JSON.stringify([operator, flags], (_key, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))) {
      return Object.is(value, -0) ? '-0' : String(value);
    }
    return value;
  });
}

