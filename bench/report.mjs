// @ts-check
// What a benchmark prints: rows as a table or as JSON.
import { median } from 'simple-statistics';

/** @typedef {import('./rounds.mjs').Comparison} Comparison */
/** @typedef {import('./rounds.mjs').Measurement} Measurement */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {'ms' | 'GB/s' | 'MiB'} unit
 * @property {{ ours: string, theirs: string | null }} sides
 * @property {number} ours the median of the rounds
 * @property {number | null} theirs null if there is nothing to compare with
 * @property {number | null} quotient the median of the quotients ours / theirs of each round; null if `ours` has the limit
 * @property {number | null} limit of the quotient, or of `ours`; null if there is none
 * @property {'most' | 'least'} bound which one the limit is
 * @property {boolean} equal true if the results are right
 * @property {boolean} passed
 * @property {number} rounds
 */

/**
 * If other load slows only one side for a while, that changes its median, but hardly the median of many rounds' quotients. So the
 * limit applies to that.
 * @returns {Row}
 */
export function rowOf(/** @type {Comparison | Measurement} */ measured) {
  return 'values' in measured ? measurementRow(measured) : comparisonRow(measured);
}

/** @returns {Row} */
function comparisonRow(/** @type {Comparison} */ { name, ours, theirs, oursMs, theirsMs, bytes, limit, equal }) {
  const value = (/** @type {number} */ ms) => (bytes === null ? ms : bytes / ms / 1e6);
  const quotient = median(oursMs.map((our, round) => value(our) / value(theirsMs[round] ?? NaN)));
  const isKept = limit === null || (bytes === null ? quotient <= limit : quotient >= limit);
  return {
    name,
    unit: bytes === null ? 'ms' : 'GB/s',
    sides: { ours, theirs },
    ours: value(median(oursMs)),
    theirs: value(median(theirsMs)),
    quotient,
    limit,
    bound: bytes === null ? 'most' : 'least',
    equal,
    passed: equal && isKept,
    rounds: oursMs.length,
  };
}

/** @returns {Row} */
function measurementRow(/** @type {Measurement} */ { name, ours, unit, values, control, limit, equal }) {
  const value = median(values);
  return {
    name,
    unit,
    sides: { ours, theirs: control?.name ?? null },
    ours: value,
    theirs: control === null ? null : median(control.values),
    quotient: null,
    limit,
    bound: 'most',
    equal,
    passed: equal && value <= limit,
    rounds: values.length,
  };
}

/** Returns the rows as a text table. */
export function table(/** @type {readonly Row[]} */ rows) {
  const head = ['', 'ours (median)', 'theirs (median)', 'of medians', 'median ratio', 'limit', 'rounds', ''];
  const lines = rows.map((row) => [
    row.name,
    `${row.sides.ours} ${valueText(row.ours, row.unit)}`,
    row.theirs === null ? '' : `${row.sides.theirs} ${valueText(row.theirs, row.unit)}`,
    row.theirs === null || row.quotient === null ? '' : (row.ours / row.theirs).toFixed(2),
    row.quotient === null ? '' : row.quotient.toFixed(3),
    limitText(row),
    `${row.rounds}`,
    row.passed ? 'ok' : row.equal ? 'FAILED' : 'FAILED: different results',
  ]);
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

function limitText(/** @type {Row} */ { limit, bound, quotient, unit }) {
  if (limit === null) return 'none';
  const sign = bound === 'most' ? '<=' : '>=';
  return quotient === null ? `${sign} ${limit} ${unit}` : `${sign} ${limit.toFixed(2)}`;
}

function valueText(/** @type {number} */ value, /** @type {string} */ unit) {
  return `${value < 10 ? value.toFixed(3) : value.toFixed(1)} ${unit}`;
}
