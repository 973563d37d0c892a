// @ts-check
// Runs programs for the page: each in a Web Worker of its own, which can be ended at any time.

/** @typedef {import('./protocol.mjs').Report} Report */

/** The worker of the last run. It stays for what a program prints later, until the next run. */
let worker = /** @type {Worker | null} */ (null);
let leave = () => {};

/**
 * @param {import('./protocol.mjs').Program} program
 * @param {(report: Report) => void} onReport gets nothing more after the next call of `run` or `stop`
 */
export function run(program, onReport) {
  stop();
  const own = new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module', name: 'program' });
  own.onmessage = ({ data }) => {
    if (data.type === 'end') leave = () => {};
    onReport(data);
  };
  own.onerror = (event) => {
    event.preventDefault();
    onReport({ type: 'error', text: `The program could not be started: ${event.message ?? 'its files did not load'}` });
    onReport({ type: 'end' });
  };
  leave = () => onReport({ type: 'end' });
  worker = own;
  own.postMessage(program);
}

/** Ends the program that runs. */
export function stop() {
  if (worker === null) return;
  worker.onmessage = worker.onerror = null;
  worker.terminate();
  worker = null;
  leave();
}
