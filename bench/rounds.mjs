// @ts-check
// Measures two sides that take turns, so that other load on the machine slows both.
import { unsafeUniformIntDistribution, xoroshiro128plus } from 'pure-rand';
import { firstParts, wantsMore } from './verdict.mjs';

/** @typedef {import('./verdict.mjs').Part} Part */
/** @typedef {import('./verdict.mjs').Round} Round */
/** @typedef {Omit<import('./verdict.mjs').Comparison, 'name'>} Compared */

/**
 * How much is measured: `rounds` rounds at first. While a row is unclear, it gets more rounds for up to `seconds` seconds.
 * @typedef {{ rounds: number, seconds: number }} Effort
 */

/**
 * Work to measure. `result` reads its result, and is null for work without one.
 * @typedef {{ run: () => Promise<void>, result: (() => Promise<ArrayBufferView>) | null }} Work
 */

/** The number of uncounted rounds at the beginning, for each device. */
export const warmUps = 5;
/** The seed of the random order of the sides. */
export const seed = 1;
const generator = xoroshiro128plus(seed);

/** A side works, and returns its time in milliseconds. @typedef {() => number | Promise<number>} Side */

/**
 * Compares two sides until the verdict is clear or the time is up.
 * @param {Effort & { limit: number | null, share?: number }} how `share` is a factor of the number of rounds
 * @param {Side} ours
 * @param {Side} theirs
 */
export async function takeTurns({ rounds, seconds, limit, share = 1 }, ours, theirs) {
  const start = performance.now();
  await takePart(warmUps, ours, theirs);
  const turns = { parts: /** @type {Part[]} */ ([]), seconds: 0, bytes: null, limit };
  while (wantsMore({ ...turns, equal: true }, seconds)) {
    turns.parts.push(await takePart(roundsOfPart(rounds, share), ours, theirs));
    turns.seconds = (performance.now() - start) / 1000;
  }
  return turns;
}

/**
 * Measures values in parts until the verdict is clear or the time is up.
 * @param {Pick<import('./verdict.mjs').Measurement, 'ours' | 'unit' | 'limit'>} row
 * @param {Effort & { share?: number }} effort see takeTurns
 * @param {Side} value
 * @param {{ name: string, value: Side } | null} [theirs] a side that does the same work; then both warm up, and the values are what
 *   ours takes more
 */
export async function measureValues(row, { rounds, seconds, share = 1 }, value, theirs = null) {
  const start = performance.now();
  if (theirs !== null) await takePart(warmUps, value, theirs.value);
  const control = theirs === null ? null : { name: theirs.name, values: /** @type {number[]} */ ([]) };
  const measured = { ...row, values: /** @type {number[][]} */ ([]), seconds: 0, control, equal: true };
  while (wantsMore(measured, seconds)) {
    /** @type {number[]} */
    const part = [];
    for (let round = 0; round < roundsOfPart(rounds, share); round++) {
      const other = (await theirs?.value()) ?? 0;
      control?.values.push(other);
      part.push((await value()) - other);
    }
    measured.values.push(part);
    measured.seconds = (performance.now() - start) / 1000;
  }
  return measured;
}

/** How many rounds a part has. */
export function roundsOfPart(/** @type {number} */ rounds, /** @type {number} */ share) {
  return Math.ceil((rounds * share) / firstParts);
}

/**
 * Measures `rounds` rounds. In each round, chance decides which side goes first.
 * @returns {Promise<Part>}
 */
export async function takePart(/** @type {number} */ rounds, /** @type {Side} */ ours, /** @type {Side} */ theirs) {
  /** @type {Round[]} */
  const part = [];
  for (let round = 0; round < rounds; round++) {
    if (unsafeUniformIntDistribution(0, 1, generator) === 0) {
      const our = await ours();
      part.push({ ours: our, theirs: await theirs() });
    } else {
      const their = await theirs();
      part.push({ ours: await ours(), theirs: their });
    }
  }
  return part;
}

/** Returns the time in milliseconds that the work takes. */
export async function timed(/** @type {() => unknown} */ work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/**
 * Returns the rows in whose names the text occurs.
 * @template {{ name: string }} Row
 */
export function selected(/** @type {readonly Row[]} */ rows, /** @type {string} */ text) {
  return rows.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
}
