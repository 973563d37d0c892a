// @ts-check
// Judges measurements: how certain a ratio is, whether it keeps its limit, and whether more rounds are worth their time.
import { mean, sampleStandardDeviation } from 'simple-statistics';

/** Both times are in milliseconds. @typedef {{ ours: number, theirs: number }} Round */
/** Consecutive rounds. @typedef {readonly Round[]} Part */

/** Nodes, and bytes of the tensors between them. @typedef {{ nodes: number, temporary: number }} GraphSize */
/** @typedef {{ written: GraphSize, improved: GraphSize }} Graphs */

/**
 * @typedef {object} Comparison
 * @property {string} name
 * @property {string} ours
 * @property {string} theirs
 * @property {Part[]} parts
 * @property {number} seconds how long measuring took
 * @property {number | null} bytes how much is moved, for throughputs; null for times
 * @property {number | null} limit for times the maximum of our time / theirs, for throughputs the minimum of our throughput /
 *   theirs; null if the row is only shown
 * @property {boolean} equal true if both computed the same result
 * @property {boolean} [isPinned] true if both sides were pinned to the same core
 * @property {Graphs} [graphs] of a graph that is improved
 */

/**
 * A measurement whose limit applies to its own values, not to a ratio with another side.
 * @typedef {object} Measurement
 * @property {string} name
 * @property {string} ours
 * @property {'ms' | 'µs' | 'MiB' | '%'} unit
 * @property {number[][]} values one per round, in parts
 * @property {number} seconds how long measuring took
 * @property {{ name: string, values: number[] } | null} control the same measurement without work, or the other side's; only shown
 * @property {number | null} limit the maximum of the values; null if there is none
 * @property {boolean} equal false if the measured work gave wrong results
 * @property {boolean} [isPinned]
 */

/**
 * @typedef {Pick<Comparison, 'parts' | 'bytes' | 'limit' | 'equal' | 'seconds'> | Pick<Measurement, 'values' | 'limit' |
 * 'equal' | 'seconds'>} Judged
 */
/** @typedef {'ok' | 'unclear' | 'failed'} Verdict */

/** The number of parts before the first verdict. Fewer would not show how much parts differ. */
export const firstParts = 6;

/**
 * Estimates the value to which the limit applies, with its 95 % interval.
 *
 * Neighboring rounds are similar, because other processes and the scheduler influence many rounds in a row. So the interval is
 * computed from the means of the parts, by Student's t. An interval computed from single rounds would be too narrow.
 * @returns {{ middle: number, low: number, high: number }}
 */
export function estimate(/** @type {Judged} */ measured) {
  if ('values' in measured) {
    const { middle, low, high } = interval(measured.values.map(middleMean));
    return { middle, low: Math.max(0, low), high };
  }
  const sign = measured.bytes === null ? 1 : -1;
  const logs = interval(
    measured.parts.map((part) => middleMean(part.map((round) => sign * Math.log(round.ours / round.theirs)))),
  );
  return { middle: Math.exp(logs.middle), low: Math.exp(logs.low), high: Math.exp(logs.high) };
}

/**
 * Returns `failed` only if the whole interval is beyond the limit, or if the results differ. The limit is a minimum for
 * throughputs, and a maximum for all others.
 * @returns {Verdict}
 */
export function verdictOf(/** @type {Judged} */ measured) {
  if (!measured.equal) return 'failed';
  const { limit } = measured;
  if (limit === null) return 'ok';
  const { low, high } = estimate(measured);
  const isLeast = 'bytes' in measured && measured.bytes !== null;
  if (isLeast ? low >= limit : high <= limit) return 'ok';
  return (isLeast ? high < limit : low > limit) ? 'failed' : 'unclear';
}

/**
 * True if another part is wanted: at first until there are `firstParts`, then until the verdict is clear or the time is up.
 * The verdict is checked only each time the number of parts has doubled, because each check is another chance to be wrong.
 */
export function wantsMore(/** @type {Judged} */ measured, /** @type {number} */ seconds) {
  const { length } = 'values' in measured ? measured.values : measured.parts;
  if (length < firstParts) return true;
  if (measured.seconds >= seconds) return false;
  return !Number.isInteger(Math.log2(length / firstParts)) || verdictOf(measured) === 'unclear';
}

/**
 * Returns the mean without the lowest and the highest fifth. If times have two modes, a median would jump between them; if other
 * load slows a few rounds, a plain mean would follow those.
 */
export function middleMean(/** @type {readonly number[]} */ values) {
  const cut = Math.floor(values.length / 5);
  return mean(values.toSorted((a, b) => a - b).slice(cut, values.length - cut));
}

function interval(/** @type {number[]} */ parts) {
  const middle = mean(parts);
  // A single part has no spread, so its interval is only its value.
  const half = parts.length === 1 ? 0 : (studentsT(parts.length - 1) * sampleStandardDeviation(parts)) / Math.sqrt(parts.length);
  return { middle, low: middle - half, high: middle + half };
}

/** Student's t quantile for 97.5 %: Abramowitz and Stegun, 26.7.5. Its error is below 0.2 % from 5 degrees of freedom on. */
function studentsT(/** @type {number} */ freedom) {
  return 1.96 + 2.3723 / freedom + 2.8225 / freedom ** 2 + 2.5558 / freedom ** 3;
}
