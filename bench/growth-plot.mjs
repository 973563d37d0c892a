// @ts-check
// Draws how a cost grows with the size of the work, and writes it as a table.
import { growthOf } from './growth.mjs';
import { axisStyle, drawn, grey, legendStyle } from './plots.mjs';
import { markdownTable } from './report.mjs';

/** @typedef {import('./growth.mjs').Scaled} Scaled */

/** The rows as a table in Markdown. */
export function growthTable(/** @type {readonly Scaled[]} */ rows) {
  const lines = rows.map((row) => {
    const { unit, sizes } = row;
    const largest = sizes.at(-1);
    if (largest === undefined) throw new Error('a row has sizes');
    const { time, memory, isLinear } = growthOf(row);
    return [
      `${largest.size.toLocaleString('en')} ${unit}`,
      `${largest.thread.toFixed(0)} ms`,
      exponentText(time),
      `${largest.done.toFixed(0)} ms`,
      `${Math.max(0, largest.memory).toFixed(0)} MiB`,
      exponentText(memory),
      isLinear ? 'linear or better' : 'FAILED: superlinear',
    ];
  });
  const head = ['largest size', 'JavaScript thread', 'exponent', 'until done', 'memory', 'exponent', 'growth'];
  return markdownTable(head, lines);
}

function exponentText(/** @type {number | null} */ exponent) {
  return exponent === null ? 'too small to tell' : exponent.toFixed(2);
}

/** A log-log plot of a row as SVG, for light and dark backgrounds. */
export function plot(/** @type {Scaled} */ { unit, sizes }) {
  const axis = (/** @type {string} */ name, /** @type {number} */ gridIndex) => ({
    ...axisStyle,
    ...{ type: /** @type {const} */ ('log'), name, gridIndex, axisLabel: { color: grey, formatter: short } },
  });
  const line = (
    /** @type {string} */ name,
    /** @type {string} */ color,
    /** @type {'thread' | 'done' | 'memory' | 'heap'} */ cost,
  ) => ({
    ...{ type: /** @type {const} */ ('line'), name, color, symbolSize: 7 },
    ...(cost === 'thread' || cost === 'done' ? { xAxisIndex: 0, yAxisIndex: 0 } : { xAxisIndex: 1, yAxisIndex: 1 }),
    data: sizes.filter((one) => one[cost] > 0.01).map((one) => [one.size, one[cost]]),
  });
  return drawn(
    { width: 860, height: 320 },
    {
      legend: legendStyle,
      grid: [
        { left: 70, width: 330, top: 40, bottom: 55 },
        { left: 500, width: 330, top: 40, bottom: 55 },
      ],
      xAxis: [0, 1].map((i) => ({ ...axis(unit, i), nameGap: 32 })),
      yAxis: [
        { ...axis('ms', 0), nameGap: 48 },
        { ...axis('MiB', 1), nameGap: 48 },
      ],
      series: [
        line('JavaScript thread', '#3b82c4', 'thread'),
        line('until the device is done', '#e07b39', 'done'),
        line('memory of the process', '#4d9e5f', 'memory'),
        line("JavaScript's heap", '#a366c2', 'heap'),
      ],
    },
  );
}

/** 1k for 1,000, 1M for 1,000,000. */
function short(/** @type {number} */ value) {
  return value.toLocaleString('en', { notation: 'compact', maximumFractionDigits: 2 });
}
