// @ts-check
// Measures two sides that take turns, so that other load on the machine slows both.
import { median } from 'simple-statistics';

/**
 * @typedef {object} Comparison
 * @property {string} name
 * @property {string} ours
 * @property {string} theirs
 * @property {number[]} oursMs times in milliseconds, one per round
 * @property {number[]} theirsMs
 * @property {'time' | 'throughput'} measure
 * @property {number} limit for 'time' the maximum of our time / theirs, for 'throughput' the minimum of our throughput / theirs
 * @property {boolean} equal true if both computed the same result
 */

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
 * Returns both medians, their ratio, and the median of the ratios of the rounds (`paired`). The limit applies to `paired`: if
 * other load slows only one side for a while, that changes its median, but hardly the median of many rounds' ratios.
 * @param {Comparison} comparison
 */
export function evaluate(comparison) {
  const { oursMs, theirsMs, measure, limit, equal } = comparison;
  const ours = median(oursMs);
  const theirs = median(theirsMs);
  const byRound = median(oursMs.map((our, round) => our / (theirsMs[round] ?? NaN)));
  const isTime = measure === 'time';
  const paired = isTime ? byRound : 1 / byRound;
  const ok = equal && (isTime ? paired <= limit : paired >= limit);
  return { ours, theirs, ratio: isTime ? ours / theirs : theirs / ours, paired, ok };
}

/** Returns the results as a text table. */
export function table(/** @type {readonly Comparison[]} */ comparisons) {
  const rows = comparisons.map((comparison) => {
    const { ours, theirs, ratio, paired, ok } = evaluate(comparison);
    return [
      comparison.name,
      `${comparison.ours} ${milliseconds(ours)}`,
      `${comparison.theirs} ${milliseconds(theirs)}`,
      ratio.toFixed(2),
      paired.toFixed(3),
      limitOf(comparison),
      `${comparison.oursMs.length}`,
      ok ? 'ok' : comparison.equal ? 'FAILED' : 'FAILED: different results',
    ];
  });
  const head = ['', 'ours (median)', 'theirs (median)', 'of medians', 'median ratio', 'limit', 'rounds', ''];
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A comparison with the largest limit is only shown. */
function limitOf(/** @type {Comparison} */ { measure, limit }) {
  return limit === Number.MAX_VALUE ? 'none' : `${measure === 'time' ? '<=' : '>='} ${limit.toFixed(2)}`;
}

function milliseconds(/** @type {number} */ value) {
  return `${value < 10 ? value.toFixed(3) : value.toFixed(1)} ms`;
}
