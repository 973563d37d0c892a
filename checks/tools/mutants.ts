/** `npm run mutants`: small wrong changes to lib/, and whether the portable tests notice them. */
import { makeCheckout } from '../mutants/checkout.js';
import { Judge, type Verdict } from '../mutants/judge.js';
import { Random } from '../harness/random.js';
import { runTool, type Mode } from '../harness/tool.js';

const mutants: Mode = {
  summary:
    'Makes small wrong changes to lib/, one at a time, and runs the portable tests that reach them. Prints which test notices ' +
    'each. What survives is no fault if no program can tell it from the code as it was.',
  options: {
    seed: '',
    cases: 'how many changes (default: 60)',
    from: 'the number of the first change that is drawn (default: 0)',
    only: 'only changes in files whose path below lib/ has the text',
    tests: '',
  },
  async run(given) {
    const [seed, cases, from] = [given.seed(), given.numberOf('cases', 60, 1), given.numberOf('from', 0)];
    const only = given.textOf('only') ?? '';
    const made = makeCheckout();
    // Code that runs once, as its module is loaded, cannot run again with another mutant.
    const all = [...made.entries()].filter(([, { path, isLoading }]) => path.includes(only) && !isLoading);
    if (all.length === 0) throw given.mistake(`no file with '${only}' in its path has code to change`);
    const drawn = Random.of('mutants', seed)
      .distinct(Math.min(from + cases, all.length), all.length)
      .slice(from)
      .sort((a, b) => a - b)
      .flatMap((place) => all.slice(place, place + 1));
    console.log(`seed ${seed}: ${drawn.length} of ${all.length} changes`);
    const judge = new Judge(
      drawn.map(([number]) => number),
      given.textOf('tests') ?? '',
    );
    await judge.run();
    for (const test of judge.leftOut.values()) console.log(`left out, because it fails in the copy: ${test}`);
    const counts: Record<Verdict['kind'], number> = { noticed: 0, survived: 0, 'not reached': 0 };
    for (const [number, mutant] of drawn) {
      const { kind, by } = judge.verdictOf(number);
      counts[kind] += 1;
      const change = `lib/${mutant.path}:${mutant.line}  ${mutant.from}  ->  ${mutant.to}`;
      console.log(`${kind.padEnd(12)}${change}${by && `  (${by})`}`);
    }
    console.log(
      `\n${Object.entries(counts)
        .map(([kind, count]) => `${count} ${kind}`)
        .join(', ')}`,
    );
    return counts.survived + counts['not reached'];
  },
};

runTool({ name: 'mutants', modes: [mutants] });
