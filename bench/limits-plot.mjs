// @ts-check
// Draws the rows of a benchmark beside their limits, and writes them as a table.
import { figuresOf, markdownTable, valueText } from './report.mjs';
import { axisStyle, drawn, grey } from './plots.mjs';

/** @typedef {import('./report.mjs').Row} Row */

const colors = { ok: '#4d9e5f', unclear: '#d49b1f', failed: '#d04545' };
const heightOfRow = 30;
/** What uses more of its limit is drawn at the edge; its figure stands beside it. */
const mostShown = 2;

/** By how much a value uses its limit up, as far as that is shown: 1 at the limit, and more beyond it. */
function shareOf(/** @type {Row} */ { bound, limit }, /** @type {number} */ value) {
  if (limit === null) throw new Error('a row without a limit has no share of it');
  return Math.min(mostShown, bound === 'most' ? value / limit : limit / value);
}

function measuredOf(/** @type {Row} */ { ratio, ours }) {
  return ratio ?? ours;
}

/** `1.04 (limit 1.05)`. */
function figureOf(/** @type {Row} */ row) {
  const figure = (/** @type {number} */ value) => (row.ratio === null ? valueText(value, row.unit) : value.toFixed(2));
  return `${figure(measuredOf(row))} (limit ${figure(row.limit ?? NaN)})`;
}

/** The rows that have a limit, each with its 95 % interval, on an axis that is the same for all: the limit is 1. */
export function limitsPlot(/** @type {readonly Row[]} */ all) {
  const rows = all.filter(({ limit }) => limit !== null);
  const points = rows.map((row, i) => ({
    value: [shareOf(row, measuredOf(row)), i],
    itemStyle: { color: colors[row.verdict], opacity: 1 },
  }));
  const lines = rows.flatMap((row, i) => [
    [shareOf(row, row.interval.low), i],
    [shareOf(row, row.interval.high), i],
    [NaN, i],
  ]);
  return drawn(
    { width: 1000, height: 70 + heightOfRow * rows.length },
    {
      grid: { left: 450, right: 200, top: 30, bottom: 40, outerBoundsMode: 'none' },
      xAxis: {
        ...axisStyle,
        ...{ type: 'value', min: 0, max: mostShown },
        ...{ name: 'part of the limit that is used', nameGap: 24 },
      },
      yAxis: [
        { ...labels(rows.map(({ name }) => name)), position: 'left' },
        { ...labels(rows.map(figureOf)), position: 'right' },
      ],
      series: [
        { type: 'line', data: lines, symbol: 'none', lineStyle: { color: grey, width: 3, opacity: 0.6 } },
        {
          ...{ type: 'scatter', data: points, symbolSize: 11 },
          markLine: {
            ...{ silent: true, symbol: 'none', data: [{ xAxis: 1 }], lineStyle: { color: '#d04545', type: 'solid', width: 1.5 } },
            label: { position: 'start', formatter: 'limit', color: grey },
          },
        },
      ],
    },
  );
}

function labels(/** @type {readonly string[]} */ data) {
  return {
    ...{ type: /** @type {const} */ ('category'), inverse: true, data, axisTick: { show: false }, axisLine: { show: false } },
    axisLabel: { color: grey, interval: 0, fontSize: 12, width: 370, overflow: /** @type {const} */ ('break') },
  };
}

/** The rows as a table in Markdown. */
export function limitsTable(/** @type {readonly Row[]} */ rows) {
  const lines = rows.map((row) => {
    const { name, limit, verdict } = row;
    return [name, ...figuresOf(row), limit === null ? 'only shown' : verdict === 'failed' ? 'FAILED' : verdict];
  });
  const head = ['work', 'ours', 'beside', 'ratio', '95 % interval', 'limit', ''];
  return markdownTable(head, lines);
}
