/** Seeded random numbers for generated tests: the same seed gives the same cases on every machine. */
import { unsafeUniformIntDistribution, xoroshiro128plus, type RandomGenerator } from 'pure-rand';

/** The engine's own, saved now because the fuzzer replaces the globals. */
const { Uint32Array, Uint8Array } = globalThis;

export class Random {
  readonly #generator: RandomGenerator;

  constructor(seed: number) {
    this.#generator = xoroshiro128plus(seed);
  }

  /** A generator whose seed is the FNV-1a hash of the names: its numbers do not depend on what was drawn elsewhere. */
  static of(...names: readonly (string | number)[]): Random {
    let hash = 0x811c9dc5;
    for (const byte of Buffer.from(names.join(' '))) hash = Math.imul(hash ^ byte, 0x01000193);
    // Names that differ only in the last digit must not give seeds with the same low bits (final mix of MurmurHash3).
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return new Random(hash ^ (hash >>> 16));
  }

  /** An integer from `low` to `high`, both included. */
  int(low: number, high: number): number {
    return unsafeUniformIntDistribution(low, high, this.#generator);
  }

  /**
   * A random signed 64-bit integer. The high half is often one of five values, so that numbers often differ only in the low half;
   * the low half is often an extreme value.
   */
  int64(): bigint {
    const high = this.chance(0.4) ? this.pick([0, -1, 1, -(2 ** 31), 2 ** 31 - 1]) : this.int(-(2 ** 31), 2 ** 31 - 1);
    const low = this.chance(0.2) ? this.pick([0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1]) : this.int(0, 2 ** 32 - 1);
    return (BigInt(high) << 32n) | BigInt(low);
  }

  /** A number from 0 (included) to 1 (not included). */
  fraction(): number {
    return this.int(0, 0x3fffffff) / 0x40000000;
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(values: readonly T[]): T {
    const value = values[this.int(0, values.length - 1)];
    if (value === undefined) throw new RangeError('nothing to pick from');
    return value;
  }

  bytes(count: number): Uint8Array<ArrayBuffer> {
    const words = new Uint32Array(Math.ceil(count / 4));
    for (let i = 0; i < words.length; i++) words[i] = this.#generator.unsafeNext();
    return new Uint8Array(words.buffer, 0, count);
  }

  /** `count` different numbers from 0 to `below - 1`, in random order. */
  distinct(count: number, below: number): number[] {
    const numbers = Array.from({ length: below }, (_, i) => i);
    for (let i = 0; i < count; i++) {
      const other = this.int(i, below - 1);
      const value = numbers[other] ?? 0;
      numbers[other] = numbers[i] ?? 0;
      numbers[i] = value;
    }
    return numbers.slice(0, count);
  }
}
