/** Generates, judges and reports the candidates of many operators. */
import { DirectMLError } from '#lib/errors.js';
import { operatorTable } from '#lib/schema/generated/table.js';
import { withInferredOutputs } from '../coverage/inference.js';
import { Random } from '../random.js';
import { defaultedFields, without } from '../support/defaults.js';
import type { Candidate, LooseDescriptor } from './candidate.js';
import { describe, isFailure, printOperator, printTable, printTotal } from './report.js';
import { judge, type Judged } from './judge.js';
import { candidates } from './operators.js';
import { showProgress } from './progress.js';

export interface Selection {
  readonly names: readonly string[];
  readonly seed: number;
  /** Candidates per operator; undefined for the default of each. */
  readonly count: number | undefined;
  /** The largest number of failures to print per operator. */
  readonly shown: number;
  /** True to print a table of the mutations, too. */
  readonly tables: boolean;
}

/** Descriptors per child process. Starting one takes seconds, so one judges several operators. */
const BATCH = 5_000;

/** Returns the number of failures. */
export async function compareOperators({ names, seed, count, shown, tables }: Selection): Promise<number> {
  const left = names.map((name) => ({ name, count: count ?? (name === 'scatterNd' ? 10_000 : 500) }));
  const total = left.reduce((sum, plan) => sum + plan.count, 0);
  const all: Judged[] = [];
  const inferred: Judged[] = [];
  while (left.length > 0) {
    const batch = takeBatch(left);
    const judged = await judge(
      batch.flatMap((plan) => candidatesOf(plan.name, seed, plan.count)),
      (done) => showProgress(`${all.length + done} of ${total} descriptors`),
    );
    const judgedAgain = [...(await judgeInferred(judged)), ...(await judgeDefaults(judged))];
    showProgress('');
    all.push(...judged);
    inferred.push(...judgedAgain);
    for (const failure of judgedAgain.filter(isFailure).slice(0, shown)) console.log(`\n${describe(failure)}`);
    for (const plan of batch) {
      const own = judged.splice(0, plan.count);
      if (tables) printTable(plan.name, own);
      printOperator(plan.name, own, shown);
    }
  }
  printTotal(names.length, all, inferred);
  return [...all, ...inferred].filter(isFailure).length;
}

/** Judges the valid descriptors again, with the outputs that validation infers. */
async function judgeInferred(judged: readonly Judged[]): Promise<Judged[]> {
  const valid = judged.filter(({ outcome }) => outcome === 'valid');
  return judge(valid.map(({ descriptor }) => ({ rule: 'valid, outputs left out', descriptor: inferredFrom(descriptor) })));
}

/** Valid ones without the fields that have a default, where validation takes them so: DirectML takes what was filled in. */
async function judgeDefaults(judged: readonly Judged[]): Promise<Judged[]> {
  const short = judged.filter(({ outcome }) => outcome === 'valid').flatMap(({ descriptor }) => withDefaults(descriptor) ?? []);
  return judge(short.map((descriptor) => ({ rule: 'valid, defaults left out', descriptor })));
}

/** The descriptor with its defaults and its outputs filled in; null if that is not what validation takes. */
function withDefaults(descriptor: LooseDescriptor): LooseDescriptor | null {
  const names = defaultedFields(descriptor.type);
  if (names.length === 0) return null;
  try {
    return { ...withInferredOutputs(without(descriptor, new Set(names))) };
  } catch (error) {
    if (error instanceof DirectMLError) return null;
    throw error;
  }
}

function inferredFrom(descriptor: LooseDescriptor): LooseDescriptor {
  try {
    return { ...withInferredOutputs(descriptor) };
  } catch (error) {
    if (!(error instanceof DirectMLError)) throw error;
    // Its outputs cannot be inferred. Without them neither side accepts it, which counts as a failure.
    const isOutput = (name: string) =>
      operatorTable[descriptor.type].fields.some((field) => field.name === name && field.role === 'output');
    return { ...Object.fromEntries(Object.entries(descriptor).filter(([name]) => !isOutput(name))), type: descriptor.type };
  }
}

/** Removes operators from the front of `left`: at least one, and as many as fit into a batch. */
function takeBatch<T extends { readonly count: number }>(left: T[]): T[] {
  let sum = 0;
  const end = left.findIndex(({ count }, i) => (sum += count) > BATCH && i > 0);
  return left.splice(0, end === -1 ? left.length : end);
}

/** The candidates of an operator. They depend only on its name and the seed. */
function candidatesOf(name: string, seed: number, count: number): Candidate[] {
  const generate = candidates[name];
  if (generate === undefined) throw new RangeError(`no operator "${name}"; there are: ${Object.keys(candidates).join(', ')}`);
  return Array.from({ length: count }, (_, index) => generate(Random.of(seed, name, index)));
}
