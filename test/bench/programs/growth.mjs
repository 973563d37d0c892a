// @ts-check
// Judges and shows made-up costs, and prints one line of JSON.
import { growthTable, plot } from '../../../bench/growth-plot.mjs';
import { exponentOf, growthOf } from '../../../bench/growth.mjs';

/** @typedef {(size: number) => number} Cost */

const sizes = [1, 10, 100, 1000, 3000, 10_000];
const exponent = (/** @type {Cost} */ cost) => {
  const points = sizes.map((size) => ({ size, cost: cost(size) }));
  return exponentOf(points, 2);
};
const row = (/** @type {Cost} */ cost) => ({
  name: 'nodes',
  unit: 'nodes',
  sizes: sizes.map((size) => ({ size, thread: cost(size), done: 2 * cost(size), memory: 0.1 * size, heap: 0 })),
});
const [linear, square] = [row((size) => 0.01 * size), row((size) => 0.01 * size ** 2)];

console.log(
  JSON.stringify({
    exponents: {
      linear: exponent((size) => 3 * size),
      mostlyConstant: exponent((size) => 40 + 0.001 * size),
      square: exponent((size) => size ** 2),
      stepBefore: exponent((size) => (size > 500 ? 50 : 1) * size),
      small: exponent(() => 1),
    },
    linear: growthOf(linear).isLinear,
    square: growthOf(square).isLinear,
    table: growthTable([linear, square]).split('\n'),
    plot: plot(linear),
  }),
);
