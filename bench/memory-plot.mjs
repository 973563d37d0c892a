// @ts-check
// Judges and draws the memory of a process over time, which `npm run bench -- --soak` measures.
import { mean } from 'simple-statistics';
import { axisStyle, drawn, legendStyle } from './plots.mjs';

/** @typedef {import('./soak.mjs').Sample} Sample */

/** In MiB. Allocators keep some more pages now and then. */
const limit = 16;

/**
 * By how many MiB the memory of the process grows from its second quarter to its last one. In the first quarter, caches and pools
 * fill.
 */
export function growthOver(/** @type {readonly Sample[]} */ samples) {
  const quarter = (/** @type {number} */ i) => {
    const [from, to] = [i, i + 1].map((end) => Math.floor((end * samples.length) / 4));
    return mean(samples.slice(from, to).map((sample) => sample.process));
  };
  const grown = quarter(3) - quarter(1);
  return { grown, isKept: grown <= limit };
}

/** What was measured as a sentence. */
export function memoryText(/** @type {readonly Sample[]} */ samples) {
  const { grown, isKept } = growthOver(samples);
  const { second = 0, turns = 0 } = samples.at(-1) ?? {};
  const work = `${turns.toLocaleString('en')} turns in ${(second / 60).toFixed(0)} minutes`;
  const change = `${Math.abs(grown).toFixed(1)} MiB ${grown < 0 ? 'less' : 'more'}`;
  return `${work}: in the last quarter, the process has ${change} than in the second one; the limit is ${limit} MiB: ${isKept ? 'ok' : 'FAILED'}`;
}

/** A plot as SVG, for light and dark backgrounds. */
export function memoryPlot(/** @type {readonly Sample[]} */ samples) {
  const line = (
    /** @type {string} */ name,
    /** @type {string} */ color,
    /** @type {'process' | 'heap' | 'device'} */ memory,
  ) => ({
    ...{ type: 'line', name, color, symbol: 'none', lineStyle: { width: 1.5 } },
    data: samples.map((sample) => [sample.second / 60, sample[memory]]),
  });
  return drawn(
    { width: 860, height: 320 },
    {
      legend: legendStyle,
      grid: { left: 70, right: 30, top: 40, bottom: 55 },
      xAxis: { ...axisStyle, type: 'value', name: 'minutes', nameGap: 32 },
      yAxis: { ...axisStyle, type: 'value', name: 'MiB', nameGap: 48 },
      series: [
        line('memory of the process', '#4d9e5f', 'process'),
        line("JavaScript's heap", '#a366c2', 'heap'),
        line('memory of the device', '#3b82c4', 'device'),
      ],
    },
  );
}
