// @ts-check
// Prints what `npm run bench` would report of made-up measurements, as JSON: the document, and the text.
import { describe, lines } from '../../../bench/machine.mjs';
import { rowOf, table } from '../../../bench/report.mjs';
import { selected, takeTurns } from '../../../bench/rounds.mjs';

const sides = { ours: 'JS', theirs: 'C++', equal: true };
// Other load made two rounds slower, each for one side only.
const times = { oursMs: [11, 30, 11, 11, 11], theirsMs: [10, 10, 40, 10, 10] };
const rows = [
  { name: 'time within its limit', ...sides, ...times, bytes: null, limit: 1.1 },
  { name: 'time beyond its limit', ...sides, ...times, bytes: null, limit: 1.05 },
  { name: 'throughput', ...sides, oursMs: [20], theirsMs: [10], bytes: 64e6, limit: 0.4 },
  { name: 'without a limit', ...sides, oursMs: [20], theirsMs: [10], bytes: null, limit: null },
  { name: 'wrong results', ...sides, oursMs: [1], theirsMs: [10], bytes: null, limit: 1, equal: false },
  { name: 'memory', ours: 'kept', unit: /** @type {const} */ ('MiB'), values: [17], control: null, limit: 16, equal: true },
  {
    ...{ name: 'block', ours: 'blocked', unit: /** @type {const} */ ('ms'), values: [3, 9, 4], limit: 5, equal: true },
    control: { name: 'idle', values: [1, 1, 2] },
  },
].map(rowOf);

/** @type {string[]} */
const order = [];
const note = (/** @type {string} */ side) => () => {
  order.push(side);
  return order.length;
};
const taken = await takeTurns(2, 1, note('ours'), note('theirs'));

const surroundings = { adapter: { name: 'An adapter', driver: '1.2.3.4' }, directml: '1.15.4', node: '20.0.0' };
console.log(
  JSON.stringify({
    document: { ...describe(surroundings), rows },
    reference: describe(null),
    lines: lines(describe(null)),
    text: table(rows),
    selected: selected(rows, 'LIMIT').map(({ name }) => name),
    turns: { order, ...taken },
  }),
);
