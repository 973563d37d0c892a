// @ts-check
// Two programs on a machine that others use too: they take turns, so that whatever slows one slows both.
import { median } from 'simple-statistics';

/**
 * @typedef {object} Comparison
 * @property {string} name
 * @property {string} ours
 * @property {string} theirs
 * @property {number[]} oursMs one time per round
 * @property {number[]} theirsMs
 * @property {'time' | 'throughput'} measure
 * @property {number} limit the most a ratio of times may be, the least a ratio of throughputs
 * @property {boolean} equal both have computed the same
 */

/**
 * Runs both sides in turn; each returns its milliseconds. Who goes first changes from round to round.
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

/** How long a piece of work takes, in milliseconds. */
export async function timed(/** @type {() => unknown} */ work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/**
 * Both medians, their ratio, and the median of the rounds' own ratios. The last is held against the limit: what a busy
 * machine does to one side only, for a while, moves a median but hardly ever the middle of many rounds' ratios.
 * @param {Comparison} comparison
 */
export function judged(comparison) {
  const { oursMs, theirsMs, measure, limit, equal } = comparison;
  const ours = median(oursMs);
  const theirs = median(theirsMs);
  const byRound = median(oursMs.map((our, round) => our / (theirsMs[round] ?? NaN)));
  const isTime = measure === 'time';
  const paired = isTime ? byRound : 1 / byRound;
  const ok = equal && (isTime ? paired <= limit : paired >= limit);
  return { ours, theirs, ratio: isTime ? ours / theirs : theirs / ours, paired, ok };
}

/** The table of the results, as text. */
export function table(/** @type {readonly Comparison[]} */ comparisons) {
  const rows = comparisons.map((comparison) => {
    const { ours, theirs, ratio, paired, ok } = judged(comparison);
    return [
      comparison.name,
      `${comparison.ours} ${milliseconds(ours)}`,
      `${comparison.theirs} ${milliseconds(theirs)}`,
      ratio.toFixed(2),
      paired.toFixed(3),
      `${comparison.measure === 'time' ? '<=' : '>='} ${comparison.limit.toFixed(2)}`,
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

function milliseconds(/** @type {number} */ value) {
  return `${value < 10 ? value.toFixed(3) : value.toFixed(1)} ms`;
}
