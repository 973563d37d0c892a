// @ts-check
// Judges what was measured: how sure its ratio is, whether it keeps its limit, and whether more rounds are worth their time.
import { mean, sampleStandardDeviation } from 'simple-statistics';

/** Both times are in milliseconds. @typedef {{ ours: number, theirs: number }} Round */
/** Rounds in a row. @typedef {readonly Round[]} Part */

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
 * @property {boolean} [isPinned] true if both sides had the same one core
 */

/**
 * Something that has a limit of its own, whatever it is shown beside.
 * @typedef {object} Measurement
 * @property {string} name
 * @property {string} ours
 * @property {'ms' | 'MiB'} unit
 * @property {number[][]} values one per round, in parts
 * @property {number} seconds how long measuring took
 * @property {{ name: string, values: number[] } | null} control what is measured where nothing is done
 * @property {number} limit the maximum of the values
 * @property {boolean} equal false if what was measured gave wrong results
 * @property {boolean} [isPinned]
 */

/**
 * @typedef {Pick<Comparison, 'parts' | 'bytes' | 'limit' | 'equal' | 'seconds'> | Pick<Measurement, 'values' | 'limit' |
 * 'equal' | 'seconds'>} Judged
 */
/** @typedef {'ok' | 'unclear' | 'failed'} Verdict */

/** So many parts are measured before anything is judged. Fewer would say too little of how parts differ. */
export const firstParts = 6;

/**
 * What the limit applies to, with its 95 % interval.
 *
 * Rounds near each other are alike: a process, or the scheduler's habit, lasts for many of them. So the interval is that of the
 * mean of the parts by Student's t, whatever happens within a part. An interval from single rounds would be too narrow.
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
 * A limit is exceeded only if the whole interval is beyond it. Throughputs have a minimum, all others a maximum.
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
 * True while another part is wanted: until the first ones are there, and then until the verdict is clear or the time is spent.
 * It is looked at only when the parts have doubled, since each look is another chance to be wrong.
 */
export function wantsMore(/** @type {Judged} */ measured, /** @type {number} */ seconds) {
  const { length } = 'values' in measured ? measured.values : measured.parts;
  if (length < firstParts) return true;
  if (measured.seconds >= seconds) return false;
  return !Number.isInteger(Math.log2(length / firstParts)) || verdictOf(measured) === 'unclear';
}

/**
 * The mean without the lowest and the highest fifth. Where times come in two modes, a median jumps from one to the other; where
 * other load slows a few rounds, a plain mean follows them.
 */
export function middleMean(/** @type {readonly number[]} */ values) {
  const cut = Math.floor(values.length / 5);
  return mean(values.toSorted((a, b) => a - b).slice(cut, values.length - cut));
}

function interval(/** @type {number[]} */ parts) {
  const middle = mean(parts);
  // What is measured once is exact.
  const half = parts.length === 1 ? 0 : (studentsT(parts.length - 1) * sampleStandardDeviation(parts)) / Math.sqrt(parts.length);
  return { middle, low: middle - half, high: middle + half };
}

/** The quantile for 97.5 %: Abramowitz and Stegun, 26.7.5. From 5 degrees of freedom on it is exact to 0.2 %. */
function studentsT(/** @type {number} */ freedom) {
  return 1.96 + 2.3723 / freedom + 2.8225 / freedom ** 2 + 2.5558 / freedom ** 3;
}
