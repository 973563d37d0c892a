/**
 * Passes malformed values to the native boundary, without our validation. Each must give a typed error, and the process
 * must survive. A child process holds the addon. If it dies or hangs, that is reported, and another child continues.
 */
import { ask, type Trouble } from './child-protocol.js';
import { showProgress } from './progress.js';

/** Prints the failures and the totals. Returns the number of failures. */
export async function runCrash(seed: number, from: number, count: number, verbose: boolean): Promise<number> {
  const pasted = (index: number) => `npm run parity -- --crash --seed ${seed} --only ${from + index}`;
  let endings = 0;
  const answers = await ask({
    script: 'crash-child.js',
    args: [String(seed), String(from), String(count)],
    count,
    progress: (done) => showProgress(`${done} of ${count} values`),
    trouble: (index, what, output) => {
      showProgress('');
      console.log(`${index === count ? 'at its end' : pasted(index)}: ${what} of the child process\n${output}`);
      if (index === count) endings += 1;
    },
  });
  showProgress('');
  const totals = { typed: 0, untyped: 0, death: 0, hang: 0 };
  let skipped = 0;
  for (const [index, answer] of answers.entries()) {
    if (isTrouble(answer)) {
      totals[answer] += 1;
      continue;
    }
    const [, again = '0', said = ''] = /^(\d+) (.*)$/.exec(answer) ?? [];
    const typed = said.endsWith(': typed');
    skipped += Number(again);
    totals[typed ? 'typed' : 'untyped'] += 1;
    if (!typed || verbose) console.log(`${pasted(index)}: ${said}`);
  }
  console.log(`${skipped} well-formed ones were drawn, too, and not counted`);
  console.log(
    `malformed values ${answers.length}, typed errors ${totals.typed}, untyped ${totals.untyped}, ` +
      `deaths ${totals.death + endings}, hangs ${totals.hang}`,
  );
  return answers.length - totals.typed + endings;
}

function isTrouble(answer: string): answer is Trouble {
  return answer === 'death' || answer === 'hang';
}
