/**
 * `npm run conformance -- --graphs`: random graphs on the real DirectML. They run in child processes, so that a graph that crashes
 * or hangs its process can be named.
 */
import type { OperatorType } from 'node-directml';
import { table } from '#lib/cli/layout.js';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import { writeJson } from '../cases/case.js';
import { ask, given as answered } from '../harness/interview.js';
import { count, printFailures, showProgress } from '../harness/report.js';
import type { Mode } from '../harness/tool.js';
import { operatorTypes } from '../operators/cases.js';
import type { GraphAnswer } from './child.js';
import { readGraphCase, type Position } from './graph-case.js';

const GRAPHS = 4000;
const POSITIONS: readonly Position[] = ['first', 'middle', 'last', 'only'];
/** In a run of at least this many graphs, every operator must have been at each position this often. */
const FULL_RUN = 3000;
const LEAST = 10;

export const graphs: Mode = {
  option: 'graphs',
  summary:
    'Runs random graphs of operators on DirectML and on the reference, whole and one operator after the other. One that fails ' +
    'is made smaller.',
  options: { seed: '', cases: `how many graphs (default: ${GRAPHS})`, from: '', case: '', show: '' },
  async run(given) {
    const [seed, from, single] = [given.seed(), given.numberOf('from', 0), given.caseOf(readGraphCase)];
    const total = single === undefined ? given.numberOf('cases', GRAPHS) : 1;
    console.log(`seed ${seed}\n`);
    const failures: string[] = [];
    const again = (index: number) => `  npm run conformance -- --graphs --seed ${seed} --from ${from + index} --cases 1`;
    const answers = await ask({
      script: 'graphs/child.js',
      args: [seed, from, total],
      file: single && writeJson(single),
      count: total,
      progress: (done) => showProgress(`graphs: ${done} of ${total} `),
      trouble(index, what, output) {
        const text = what === 'death' ? 'the process died' : 'the process hung';
        failures.push(`${text}\n${output.trimEnd()}\n${again(index)}`);
      },
    });
    showProgress('');
    const read = [...answered(answers)].map(([index, json]): [number, GraphAnswer] => [index, JSON.parse(json)]);
    for (const [index, answer] of read) {
      const json = answer.json === null ? '' : `\n  npm run conformance -- --graphs --case '${answer.json}'`;
      if (answer.failure !== null) failures.push(`${answer.failure}\n${again(index)}${json}`);
    }
    const nodes = read.flatMap(([, { positions }]) => positions);
    const places: Places = new Map();
    for (const [type, position] of nodes) count(places, `${type} ${position}`);
    if (single === undefined) printTable(places);
    printFailures(failures, given.shown());
    const rare = read.length < FULL_RUN ? [] : tooRare(places);
    if (rare.length > 0) console.log(`\nless than ${LEAST} times: ${rare.join(', ')}`);
    else if (read.length >= FULL_RUN) console.log(`\neach operator at least ${LEAST} times first, middle and last`);
    const types = new Set(nodes.map(([type]) => type));
    console.log(`\n${read.length} graphs, ${nodes.length} nodes of ${types.size} operators, ${failures.length} mismatches`);
    return failures.length + rare.length;
  },
};

/** How often an operator was at a position. */
type Places = Map<`${OperatorType} ${Position}`, number>;

function printTable(places: Places): void {
  const countsOf = (type: OperatorType) => POSITIONS.map((position) => String(places.get(`${type} ${position}`) ?? '·'));
  console.log(table([['nodes', ...POSITIONS], ...operatorTypes.map((type) => [type, ...countsOf(type)])], 120));
}

/** The operators and positions that are too rare in a full run. An operator that reads no tensor is only wanted as the first. */
function tooRare(places: Places): string[] {
  return operatorTypes.flatMap((type) => {
    const readsTensors = operatorTable[type].fields.some(({ role }) => role === 'input');
    const wanted: Position[] = readsTensors ? ['first', 'middle', 'last'] : ['first'];
    return wanted.map((position) => `${type} ${position}` as const).filter((place) => (places.get(place) ?? 0) < LEAST);
  });
}
