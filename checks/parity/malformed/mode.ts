/**
 * Passes malformed values to the native boundary, without our validation. Each must give a typed error, and the process
 * must survive. A child process holds the addon. If it dies or hangs, that is reported, and another child continues.
 */
import { ask, given as answered } from '../../harness/interview.js';
import { showProgress } from '../../harness/report.js';
import type { Mode } from '../../harness/tool.js';

const VALUES = 20_000;

export const malformed: Mode = {
  option: 'malformed',
  summary: 'Malformed values at the boundary of the addon: only typed errors, and the process survives.',
  options: { seed: '', cases: `how many values (default: ${VALUES})`, from: '', verbose: '' },
  async run(given) {
    const [seed, from, count] = [given.seed(), given.numberOf('from', 0), given.numberOf('cases', VALUES)];
    console.log(`seed ${seed}`);
    const pasted = (index: number) => `npm run parity -- --malformed --seed ${seed} --from ${from + index} --cases 1`;
    const totals = { typed: 0, untyped: 0, death: 0, hang: 0 };
    const answers = await ask({
      script: 'parity/malformed/child.js',
      args: [seed, from, count],
      count,
      progress: (done) => showProgress(`${done} of ${count} values`),
      trouble(index, what, output) {
        showProgress('');
        console.log(`${index === count ? 'at its end' : pasted(index)}: ${what} of the child process\n${output}`);
        totals[index === count ? 'death' : what] += 1;
      },
    });
    showProgress('');
    let skipped = 0;
    for (const [index, answer] of answered(answers)) {
      const [, again = '0', said = ''] = /^(\d+) (.*)$/.exec(answer) ?? [];
      const typed = said.endsWith(': typed');
      skipped += Number(again);
      totals[typed ? 'typed' : 'untyped'] += 1;
      if (!typed || given.has('verbose')) console.log(`${pasted(index)}: ${said}`);
    }
    console.log(`${skipped} well-formed ones were drawn, too, and not counted`);
    console.log(
      `malformed values ${answers.length}, typed errors ${totals.typed}, untyped ${totals.untyped}, ` +
        `deaths ${totals.death}, hangs ${totals.hang}`,
    );
    return totals.untyped + totals.death + totals.hang;
  },
};
