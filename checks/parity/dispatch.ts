/**
 * Dispatches descriptors that validation accepts, with extreme numbers and arbitrary data. The process must survive, the
 * device must not be lost, and every dispatch must end. A child process holds the device. If it dies or hangs, that is
 * reported, and another child continues.
 */
import { isOperatorType } from '#lib/operators/resolve.js';
import { writeCase } from '../cases/case.js';
import { ask } from '../harness/interview.js';
import { showProgress } from '../harness/report.js';
import type { Mode } from '../harness/tool.js';
import { operatorTypes } from '../operators/cases.js';
import { dispatchCase } from '../descriptors/dispatch-cases.js';
import { counter } from './report.js';

/** The number of dispatches per operator. */
const DISPATCHES = 60;

export const dispatch: Mode = {
  option: 'dispatch',
  summary:
    'Dispatches on DirectML what our validation accepts, with extreme numbers and any data: nothing crashes, hangs or loses ' +
    'the device. A name is that of an operator.',
  names: operatorTypes,
  options: { seed: '', cases: `how many dispatches of each operator (default: ${DISPATCHES})`, from: '' },
  async run(given) {
    const [seed, from, count] = [given.seed(), given.numberOf('from', 0), given.numberOf('cases', DISPATCHES)];
    console.log(`seed ${seed}`);
    const operators = given.names.filter(isOperatorType);
    const total = operators.length * count;
    let endings = 0;
    const answers = await ask({
      script: 'parity/dispatch-child.js',
      args: [seed, from, count, ...operators],
      count: total,
      progress: (done) => showProgress(`${done} of ${total} dispatches`),
      trouble(index, what, output) {
        showProgress('');
        if (index === total) endings += 1;
        console.log(index === total ? `${what} of the child process at its end\n${output}` : output.trimEnd());
      },
    });
    showProgress('');
    const ended = counter(answers, (answer) => answer.split(' ', 1));
    let slowest = 0;
    for (const [index, answer] of answers.entries()) {
      const [what, milliseconds] = answer.split(' ');
      if (what === 'ran') slowest = Math.max(slowest, Number(milliseconds));
      const operator = operators[Math.floor(index / count)];
      if (what === 'ran' || what === 'excused' || operator === undefined) continue;
      const number = from + (index % count);
      console.log(`npm run parity -- ${operator} --dispatch --seed ${seed} --from ${number} --cases 1: ${answer}`);
      console.log(`  npm run conformance -- --case '${writeCase(dispatchCase(operator, seed, number))}'`);
    }
    console.log(
      `dispatches ${answers.length}, ran ${ended('ran')} (the slowest in ${slowest} ms), not runnable here ${ended('excused')}, ` +
        `failed ${ended('failed')}, devices lost ${ended('lost')}, deaths ${ended('death') + endings}, hangs ${ended('hang')}`,
    );
    return answers.length - ended('ran') - ended('excused') + endings;
  },
};
