// @ts-check
// What both places with a program share, a block of a page and the playground: its run, its output and its buttons.
import { h, onUnmounted, ref, shallowRef } from 'vue';
import { heatMap } from './heat-map.mjs';

/** @typedef {import('./protocol.mjs').Report} Report */

/** A program that prints more is likely to print without end. */
const mostReports = 1000;

/** The state of a program. @param {() => import('./protocol.mjs').Program} programOf the program to run next */
export function useProgram(programOf) {
  const isRunning = ref(false);
  const hasRun = ref(false);
  const reports = shallowRef(/** @type {Report[]} */ ([]));
  /** Set once the first run has loaded it. @type {(() => void) | null} */
  let end = null;

  const start = async () => {
    isRunning.value = hasRun.value = true;
    reports.value = [];
    const { run, stop } = await import('./run.mjs');
    end = stop;
    run(programOf(), (report) => {
      if (report.type === 'end') isRunning.value = false;
      else if (reports.value.length < mostReports) reports.value = [...reports.value, report];
    });
  };
  const stopRun = () => {
    if (isRunning.value) reports.value = [...reports.value, { type: 'warn', text: 'Stopped.' }];
    end?.();
  };
  onUnmounted(stopRun);

  const runButton = () =>
    h('button', { type: 'button', class: 'run', onClick: isRunning.value ? stopRun : start }, isRunning.value ? 'Stop' : 'Run');

  const output = () =>
    h('div', { class: 'output', role: 'log', 'aria-label': 'Output', 'aria-busy': isRunning.value, hidden: !hasRun.value }, [
      ...reports.value.map(view),
      isRunning.value || reports.value.length > 0 ? null : h('p', 'The program has printed nothing.'),
    ]);
  return { start, runButton, output };
}

function view(/** @type {Report} */ report) {
  if (report.type === 'end') return null;
  const text = h('pre', { class: report.type, tabindex: 0 }, report.text);
  if (report.type !== 'print') return text;
  const { nested, grids } = report;
  return h('div', [
    text,
    nested === '' ? null : h('details', [h('summary', 'As nested numbers'), h('pre', { class: 'nested', tabindex: 0 }, nested)]),
    grids.length === 0 ? null : h('div', { class: 'heat-maps' }, grids.map(heatMap)),
  ]);
}
