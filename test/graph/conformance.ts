/**
 * `npm run conformance -- --graphs`: random graphs on the real DirectML. Child processes run them, so that a graph that ends
 * its process, or hangs it, is named.
 */
import { writeJson } from '../conformance/case.js';
import { ask, given as answered } from '../harness/interview.js';
import { showProgress } from '../harness/report.js';
import type { Mode } from '../harness/tool.js';
import type { GraphAnswer } from './child.js';
import { readGraphCase } from './graph-case.js';
import { GraphReport } from './graph-report.js';

const GRAPHS = 4000;

export const graphs: Mode = {
  option: 'graphs',
  summary:
    'Runs random graphs of operators on DirectML and on the reference, whole and one operator after the other. One that fails ' +
    'is made smaller.',
  options: { seed: '', cases: `how many graphs (default: ${GRAPHS})`, from: '', case: '', show: '' },
  async run(given) {
    const [seed, from, single] = [given.seed(), given.numberOf('from', 0), given.caseOf(readGraphCase)];
    const count = single === undefined ? given.numberOf('cases', GRAPHS) : 1;
    console.log(`seed ${seed}\n`);
    const report = new GraphReport(seed, from);
    const answers = await ask({
      script: 'graph/child.js',
      args: [seed, from, count],
      file: single && writeJson(single),
      count,
      progress: (done) => showProgress(`graphs: ${done} of ${count} `),
      trouble: (index, what, output) => report.trouble(index, what, output),
    });
    showProgress('');
    for (const [index, answer] of answered(answers)) {
      const read: GraphAnswer = JSON.parse(answer);
      report.add(index, read);
    }
    report.print(single === undefined, given.shown());
    return report.isGood ? 0 : 1;
  },
};
