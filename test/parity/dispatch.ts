/**
 * Dispatches descriptors that validation accepts, with extreme numbers and arbitrary data. The process must survive, the
 * device must not be lost, and every dispatch must end. A child process holds the device. If it dies or hangs, that is
 * reported, and another child continues.
 */
import type { OperatorType } from 'node-directml';
import { writeCase } from '../conformance/case.js';
import { ask } from './child-protocol.js';
import { dispatchCase } from './dispatch-cases.js';
import { showProgress } from './progress.js';

export interface Dispatches {
  readonly operators: readonly OperatorType[];
  readonly seed: number;
  /** The number of each operator's first case. */
  readonly from: number;
  /** The number of cases per operator. */
  readonly count: number;
}

/** Prints the failures and the totals. Returns the number of failures. */
export async function runDispatches({ operators, seed, from, count }: Dispatches): Promise<number> {
  const total = operators.length * count;
  let endings = 0;
  const answers = await ask({
    script: 'dispatch-child.js',
    args: [String(seed), String(from), String(count), ...operators],
    count: total,
    progress: (done) => showProgress(`${done} of ${total} dispatches`),
    trouble: (index, what, output) => {
      showProgress('');
      if (index === total) endings += 1;
      console.log(index === total ? `${what} of the child process at its end\n${output}` : output.trimEnd());
    },
  });
  showProgress('');
  const totals = { ran: 0, excused: 0, failed: 0, lost: 0, death: 0, hang: 0 };
  let slowest = 0;
  for (const [index, answer] of answers.entries()) {
    const [what = '', said = ''] = answer.split(/ (.*)/);
    if (!isOutcome(what, totals)) throw new Error(`the child process said: ${answer}`);
    totals[what] += 1;
    if (what === 'ran') slowest = Math.max(slowest, Number(said));
    const operator = operators[Math.floor(index / count)];
    if (what === 'ran' || what === 'excused' || operator === undefined) continue;
    const number = from + (index % count);
    console.log(`npm run parity -- --dispatch ${operator} --seed ${seed} --only ${number}: ${answer}`);
    console.log(`  npm run conformance -- --case '${writeCase(dispatchCase(operator, seed, number))}'`);
  }
  console.log(
    `dispatches ${answers.length}, ran ${totals.ran} (the slowest in ${slowest} ms), not runnable here ${totals.excused}, ` +
      `failed ${totals.failed}, devices lost ${totals.lost}, deaths ${totals.death + endings}, hangs ${totals.hang}`,
  );
  return answers.length - totals.ran - totals.excused + endings;
}

function isOutcome<Outcomes extends object>(what: string, outcomes: Outcomes): what is keyof Outcomes & string {
  return Object.hasOwn(outcomes, what);
}
