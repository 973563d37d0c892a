/** Keeps the entries that were used last. Above its capacity it releases the least recently used one. */
export class RecentlyUsed<Key, Entry> {
  /** The least recently used one is the first. */
  readonly #entries = new Map<Key, Entry>();
  readonly #capacity: number;
  readonly #release: (entry: Entry) => void;

  constructor(capacity: number, release: (entry: Entry) => void) {
    this.#capacity = capacity;
    this.#release = release;
  }

  get size(): number {
    return this.#entries.size;
  }

  get values(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  get(key: Key): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  /** Adds an entry, which it releases later, in the place of another one with the key. */
  add(key: Key, entry: Entry): void {
    const other = this.#entries.get(key);
    if (other !== undefined) this.#release(other);
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (this.#entries.size <= this.#capacity) return;
    for (const [oldest, dropped] of this.#entries) {
      this.#entries.delete(oldest);
      this.#release(dropped);
      return;
    }
  }

  /** Removes all entries without releasing them. */
  clear(): void {
    this.#entries.clear();
  }
}
