// @ts-check
// Methods of Node's console that print what the others do not: tables, times and counts.
import { format, inspect } from 'node-inspect-extracted';
import { tableOf } from './table.mjs';

/**
 * @param {(...values: unknown[]) => void} print
 * @param {(...values: unknown[]) => void} warn
 */
export function moreMethods(print, warn) {
  /** @type {Map<string, number>} */
  const begun = new Map();
  /** @type {Map<string, number>} */
  const counts = new Map();
  const elapsed = (/** @type {string} */ label, /** @type {readonly unknown[]} */ more) => {
    const start = begun.get(label);
    if (start === undefined) return warn(`Warning: No such label '${label}' for console.time()`);
    print(`${label}: ${(performance.now() - start).toFixed(3)}ms`, ...more);
  };
  return {
    table: (/** @type {unknown} */ data) => print(tableOf(data, inspect) ?? data),
    time: (label = 'default') => void begun.set(label, performance.now()),
    timeLog: (label = 'default', /** @type {unknown[]} */ ...more) => elapsed(label, more),
    timeEnd: (label = 'default') => {
      elapsed(label, []);
      begun.delete(label);
    },
    count: (label = 'default') => {
      counts.set(label, (counts.get(label) ?? 0) + 1);
      print(`${label}: ${counts.get(label)}`);
    },
    assert: (/** @type {unknown} */ isTrue, /** @type {unknown[]} */ ...message) => {
      if (!isTrue) warn(`Assertion failed${message.length === 0 ? '' : `: ${format(...message)}`}`);
    },
  };
}
