// @ts-check
// Prints as JSON what `npm run bench` reports on invented measurements: the document, the text, and when measuring stops.
import { describe, lines } from '../../../bench/machine.mjs';
import { limitsPlot, limitsTable } from '../../../bench/limits-plot.mjs';
import { growthOver, memoryPlot, memoryText } from '../../../bench/memory-plot.mjs';
import { rowOf, summary, table } from '../../../bench/report.mjs';
import { selected, takePart, takeTurns, warmUps } from '../../../bench/rounds.mjs';
import { estimate, firstParts, verdictOf, wantsMore } from '../../../bench/verdict.mjs';

/** @typedef {import('../../../bench/verdict.mjs').Comparison} Comparison */

/**
 * One part of five rounds per quotient (ours / theirs). Other load slows two rounds, one side in each, which the middle ignores.
 */
const parts = (/** @type {number[]} */ ...quotients) =>
  quotients.map((quotient) => {
    const usual = { ours: 10 * quotient, theirs: 10 };
    return [usual, { ours: 30, theirs: 10 }, { ours: 10 * quotient, theirs: 40 }, usual, usual];
  });
const common = { ours: 'JS', theirs: 'C++', equal: true, bytes: null, seconds: 7 };
const steady = parts(1.1, 1.09, 1.11, 1.1, 1.09, 1.11);
const block = { ours: 'blocked', unit: /** @type {const} */ ('ms'), equal: true, limit: 5, seconds: 7 };

/** @type {(Comparison | import('../../../bench/verdict.mjs').Measurement)[]} */
const measured = [
  { name: 'time within its limit', ...common, parts: steady, limit: 1.15 },
  { name: 'time beyond its limit', ...common, parts: steady, limit: 1.05, isPinned: true },
  { name: 'time that differs', ...common, parts: parts(0.9, 1.3, 1.1, 0.8, 1.2, 1), limit: 1.05 },
  { name: 'throughput', ...common, parts: parts(2, 2.01, 1.99, 2, 2, 2), bytes: 64e6, limit: 0.4 },
  { name: 'low throughput', ...common, parts: parts(2, 2.01, 1.99, 2, 2, 2), bytes: 64e6, limit: 0.6 },
  { name: 'without a limit', ...common, parts: parts(2, 2, 2, 2, 2, 2), limit: null },
  { name: 'wrong results', ...common, parts: parts(0.1, 0.1, 0.1, 0.1, 0.1, 0.1), limit: 1, equal: false },
  { ...block, name: 'memory', ours: 'kept', unit: 'MiB', values: [[17]], control: null, limit: 16 },
  { ...block, name: 'block', values: [[3, 9], [6], [5, 7], [6, 6], [5], [7]], control: { name: 'idle', values: [1, 1, 2] } },
];
const rows = measured.map(rowOf);

/** @type {string[]} */
const order = [];
const note = (/** @type {string} */ side) => () => {
  order.push(side);
  return order.length;
};
const part = await takePart(8, note('ours'), note('theirs'));

/** Measures in parts of one round. `quotient` maps the number of a round, negative while warming up, to ours / theirs. */
async function turns(/** @type {(round: number) => number} */ quotient, /** @type {number} */ seconds) {
  let round = -warmUps;
  const taken = await takeTurns(
    { rounds: 1, seconds, limit: 1.05 },
    () => quotient(round++),
    () => 1,
  );
  return { rounds: taken.parts.length, verdict: verdictOf({ ...taken, equal: true }) };
}
const differing = (/** @type {number} */ round) => (round < firstParts ? 0.85 + 0.1 * (round % 5) : 1 + 0.01 * (round % 2));

/** Both sides are equally fast and have two modes, 20 and 50; in each round one side is in the slow mode and the other is not. */
const modes = Array.from({ length: 24 }, (_, i) =>
  Array.from({ length: 7 }, (_, round) => {
    const isSlow = (i % 2 === 0) === round < 2 + ((i % 6) >> 1);
    return isSlow ? { ours: 50, theirs: 20 } : { ours: 20, theirs: 50 };
  }),
);
const ofModes = { ...common, parts: modes, limit: 1.05 };

/** A process whose memory is 500 MiB after a minute, and grows from then on by `growth` MiB a minute. */
const samples = (/** @type {number} */ growth) =>
  Array.from({ length: 600 }, (_, second) => {
    const minutes = second / 60;
    return { second, turns: 10 * second, process: minutes < 1 ? 500 * minutes : 500 + growth * minutes, heap: 5, device: 1 };
  });

const surroundings = { adapter: { name: 'An adapter', driver: '1.2.3.4' }, directml: '1.15.4', node: '20.0.0' };
console.log(
  JSON.stringify({
    document: { ...describe(surroundings), rows },
    reference: describe(null),
    lines: lines(describe(null)),
    text: table(rows),
    summary: summary(rows),
    selected: selected(rows, 'LIMIT').map(({ name }) => name),
    order,
    part,
    limits: { plot: limitsPlot(rows), table: limitsTable(rows).split('\n') },
    memory: {
      steady: growthOver(samples(0)),
      growing: growthOver(samples(4)),
      text: memoryText(samples(4)),
      plot: memoryPlot(samples(0)),
    },
    stops: {
      clear: await turns((round) => (round < 0 ? 100 : 1), 60),
      exceeded: await turns(() => 2, 60),
      laterClear: await turns(differing, 60),
      spent: await turns(differing, 0),
      betweenLooks: wantsMore({ ...common, limit: 2, parts: [...steady, ...steady.slice(1)] }, 60),
    },
    modes: { verdict: verdictOf(ofModes), ...estimate(ofModes) },
  }),
);
