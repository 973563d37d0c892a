// @ts-check
// Turns measurements into rows, which a benchmark prints as a table or as JSON.
import { mean } from 'simple-statistics';
import { estimate, middleMean, verdictOf } from './verdict.mjs';

/** @typedef {import('./verdict.mjs').Comparison} Comparison */
/** @typedef {import('./verdict.mjs').Measurement} Measurement */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {'ms' | 'µs' | 'GB/s' | 'MiB' | '%'} unit
 * @property {{ ours: string, theirs: string | null }} sides
 * @property {number} ours
 * @property {number | null} theirs null if there is nothing to compare with
 * @property {number | null} ratio ours / theirs; null if `ours` has the limit
 * @property {{ low: number, high: number }} interval the 95 % confidence interval of the ratio, or of `ours`
 * @property {number | null} limit of the ratio, or of `ours`; null if there is none
 * @property {'most' | 'least'} bound whether the limit is a maximum or a minimum
 * @property {boolean} equal true if the results are right
 * @property {import('./verdict.mjs').Verdict} verdict
 * @property {number} rounds
 * @property {number} seconds
 * @property {boolean} pinned true if both sides were pinned to the same core
 * @property {import('./verdict.mjs').Graphs} [graphs] see Comparison
 */

/** @returns {Row} */
export function rowOf(/** @type {Comparison | Measurement} */ measured) {
  const { name, limit, equal, seconds, isPinned = false } = measured;
  const { middle, low, high } = estimate(measured);
  const common = { name, limit, equal, seconds, pinned: isPinned, interval: { low, high }, verdict: verdictOf(measured) };
  if ('values' in measured) {
    const { ours, unit, values, control } = measured;
    return {
      ...{ ...common, unit, sides: { ours, theirs: control?.name ?? null } },
      ...{ ours: middle, theirs: control === null ? null : middleMean(control.values) },
      ...{ ratio: null, bound: 'most', rounds: values.flat().length },
    };
  }
  const { ours, theirs, parts, bytes, graphs } = measured;
  const value = (/** @type {'ours' | 'theirs'} */ side) => {
    // The mean of logarithms, as in the ratio.
    const ms = Math.exp(mean(parts.map((part) => middleMean(part.map((round) => Math.log(round[side]))))));
    return bytes === null ? ms : bytes / ms / 1e6;
  };
  return {
    ...{ ...common, unit: bytes === null ? 'ms' : 'GB/s', sides: { ours, theirs } },
    ...{ ours: value('ours'), theirs: value('theirs'), ratio: middle },
    ...{ bound: bytes === null ? 'most' : 'least', rounds: parts.flat().length },
    ...(graphs && { graphs }),
  };
}

/** Returns the rows as a table for a terminal. */
export function table(/** @type {readonly Row[]} */ rows) {
  const head = ['', 'ours', 'theirs', 'ratio', '95 % interval', 'limit', ''];
  const lines = rows.map((row) => [`${row.name}${row.pinned ? ' *' : ''}`, ...figuresOf(row), verdictText(row)]);
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => line[column]?.length ?? 0)));
  return [head, ...lines]
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Returns the rows as a table in Markdown. */
export function markdownTable(/** @type {readonly string[]} */ head, /** @type {readonly (readonly string[])[]} */ rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** What tables show of a row between its name and its verdict: both sides, the ratio, its interval and the limit. */
export function figuresOf(/** @type {Row} */ row) {
  return [
    `${row.sides.ours} ${valueText(row.ours, row.unit)}`,
    row.theirs === null ? '' : `${row.sides.theirs} ${valueText(row.theirs, row.unit)}`,
    row.ratio === null ? '' : row.ratio.toFixed(3),
    intervalText(row),
    limitText(row),
  ];
}

/** Returns a text with the number of rows for each verdict. */
export function summary(/** @type {readonly Row[]} */ rows) {
  const count = (/** @type {Row['verdict']} */ verdict) =>
    rows.filter((row) => row.verdict === verdict && (row.limit !== null || !row.equal)).length;
  const counts = [`${count('ok')} ok`, `${count('unclear')} unclear`, `${count('failed')} FAILED`];
  return counts.join(', ');
}

function intervalText(/** @type {Row} */ { interval: { low, high }, ratio, rounds }) {
  if (rounds === 1) return '';
  const digits = ratio === null ? 2 : 3;
  return `${low.toFixed(digits)} to ${high.toFixed(digits)}`;
}

function limitText(/** @type {Row} */ { limit, bound, ratio, unit }) {
  if (limit === null) return 'none';
  const sign = bound === 'most' ? '<=' : '>=';
  return ratio === null ? `${sign} ${limit} ${unit}` : `${sign} ${limit.toFixed(2)}`;
}

function verdictText(/** @type {Row} */ { verdict, equal, limit, seconds }) {
  if (!equal) return 'FAILED: different results';
  if (limit === null) return '';
  return { ok: 'ok', unclear: `unclear after ${seconds.toFixed(0)} s`, failed: 'FAILED' }[verdict];
}

export function valueText(/** @type {number} */ value, /** @type {string} */ unit) {
  return `${value < 10 ? value.toFixed(3) : value.toFixed(1)} ${unit}`;
}
