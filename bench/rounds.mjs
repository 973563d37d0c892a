// @ts-check
// Measures two sides that take turns, so that other load on the machine slows both.

/**
 * @typedef {object} Comparison
 * @property {string} name
 * @property {string} ours
 * @property {string} theirs
 * @property {number[]} oursMs times in milliseconds, one per round
 * @property {number[]} theirsMs
 * @property {number | null} bytes how much is moved, for throughputs; null for times
 * @property {number | null} limit for times the maximum of our time / theirs, for throughputs the minimum of our throughput /
 *   theirs; null if the row is only shown
 * @property {boolean} equal true if both computed the same result
 */

/**
 * Something that has a limit of its own, whatever it is shown beside.
 * @typedef {object} Measurement
 * @property {string} name
 * @property {string} ours
 * @property {'ms' | 'MiB'} unit
 * @property {number[]} values one per round
 * @property {{ name: string, values: number[] } | null} control what is measured where nothing is done
 * @property {number} limit the maximum of the values' median
 * @property {boolean} equal false if what was measured gave wrong results
 */

/** @typedef {Omit<Comparison, 'name'>} Compared */

/**
 * Runs both sides in turn; each returns its time in milliseconds. The side that goes first alternates between rounds.
 * @param {number} rounds
 * @param {number} warmUps
 * @param {() => number | Promise<number>} ours
 * @param {() => number | Promise<number>} theirs
 */
export async function takeTurns(rounds, warmUps, ours, theirs) {
  /** @type {{ oursMs: number[], theirsMs: number[] }} */
  const times = { oursMs: [], theirsMs: [] };
  for (let round = -warmUps; round < rounds; round++) {
    let our = NaN;
    if (round % 2 === 0) our = await ours();
    const their = await theirs();
    if (round % 2 !== 0) our = await ours();
    if (round < 0) continue;
    times.oursMs.push(our);
    times.theirsMs.push(their);
  }
  return times;
}

/** Returns the time in milliseconds that the work takes. */
export async function timed(/** @type {() => unknown} */ work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/**
 * The rows in whose names the text occurs.
 * @template {{ name: string }} Row
 */
export function selected(/** @type {readonly Row[]} */ rows, /** @type {string} */ text) {
  return rows.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
}
