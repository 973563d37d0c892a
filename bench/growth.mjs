// @ts-check
// Judges how a cost grows with the size of the work.
import { linearRegression } from 'simple-statistics';

/**
 * `thread` and `done` are milliseconds: how long the JavaScript thread works, and until the device has finished. `memory` and
 * `heap` are MiB: by how much the process and JavaScript's heap have grown.
 * @typedef {{ size: number, thread: number, done: number, memory: number, heap: number }} Size
 */
/** @typedef {{ name: string, unit: string, sizes: Size[] }} Scaled */

/**
 * The highest exponent that counts as linear. A cost of n log n has 1.08 between 100,000 and 1,000,000; garbage collection and
 * other processes add up to a fifth to a single size, which over a decade is 0.08.
 */
const highestExponent = 1.15;
/** Below these, in ms and MiB, constant costs and pages of memory hide how a cost grows. */
const least = { thread: 2, memory: 16 };

/**
 * The exponent e with which a cost grows like size ** e at the end: by regression over the largest size and those that are up to
 * ten times smaller. Before, a cost may grow faster once, where caches and pools are full. Null if the costs are too small to tell.
 * @param {readonly { size: number, cost: number }[]} points in the order of their sizes
 * @param {number} enough
 */
export function exponentOf(points, enough) {
  const largest = points.at(-1)?.size ?? NaN;
  const last = points.filter(({ size, cost }) => 10 * size >= largest && cost >= enough);
  return last.length < 2 ? null : linearRegression(last.map(({ size, cost }) => [Math.log(size), Math.log(cost)])).m;
}

/** How time and memory of a row grow. */
export function growthOf(/** @type {Scaled} */ { sizes }) {
  const exponent = (/** @type {'thread' | 'memory'} */ cost) => {
    const points = sizes.map((one) => ({ size: one.size, cost: one[cost] }));
    return exponentOf(points, least[cost]);
  };
  const [time, memory] = [exponent('thread'), exponent('memory')];
  return { time, memory, isLinear: [time, memory].every((one) => one === null || one <= highestExponent) };
}
