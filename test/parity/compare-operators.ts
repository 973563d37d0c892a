/** Candidates of many operators, generated, judged and reported. */
import { Random } from '../random.js';
import type { Candidate } from './candidate.js';
import { isFailure, printOperator, printTable, printTotal } from './report.js';
import { judge, type Judged } from './judge.js';
import { candidates } from './operators.js';
import { showProgress } from './progress.js';

export interface Selection {
  readonly names: readonly string[];
  readonly seed: number;
  /** Of each operator; its own number without it. */
  readonly count: number | undefined;
  /** How many failures of an operator to print. */
  readonly shown: number;
  /** Whether to print what was changed, too. */
  readonly tables: boolean;
}

/** To start a child process takes seconds, so one is asked about several operators. */
const BATCH = 5_000;

/** Returns the number of failures. */
export async function compareOperators({ names, seed, count, shown, tables }: Selection): Promise<number> {
  const left = names.map((name) => ({ name, count: count ?? (name === 'scatterNd' ? 10_000 : 500) }));
  const total = left.reduce((sum, plan) => sum + plan.count, 0);
  const all: Judged[] = [];
  while (left.length > 0) {
    const batch = takeBatch(left);
    const judged = await judge(
      batch.flatMap((plan) => candidatesOf(plan.name, seed, plan.count)),
      (done) => showProgress(`${all.length + done} of ${total} descriptors`),
    );
    showProgress('');
    all.push(...judged);
    for (const plan of batch) {
      const own = judged.splice(0, plan.count);
      if (tables) printTable(plan.name, own);
      printOperator(plan.name, own, shown);
    }
  }
  printTotal(names.length, all);
  return all.filter(isFailure).length;
}

/** Takes operators off the front: one, and more as long as a batch has room for them. */
function takeBatch<T extends { readonly count: number }>(left: T[]): T[] {
  let sum = 0;
  const end = left.findIndex(({ count }, i) => (sum += count) > BATCH && i > 0);
  return left.splice(0, end === -1 ? left.length : end);
}

/** The same ones whatever else is asked, and however many. */
function candidatesOf(name: string, seed: number, count: number): Candidate[] {
  const generate = candidates[name];
  if (generate === undefined)
    throw new RangeError(`no operator "${name}"; there are: ${Object.keys(candidates).join(', ')}`);
  return Array.from({ length: count }, (_, index) => generate(Random.of(seed, name, index)));
}
