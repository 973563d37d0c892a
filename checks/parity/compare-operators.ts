/** Generates, judges and reports the candidates of many operators. */
import { DirectMLError } from '#lib/values/errors.js';
import { isOperatorType } from '#lib/operators/resolve.js';
import { withInferredOutputs } from './inference.js';
import { readJson } from '../cases/case.js';
import { printFailures, showProgress } from '../harness/report.js';
import type { Given, Mode } from '../harness/tool.js';
import { operatorTypes } from '../operators/cases.js';
import { Random } from '../harness/random.js';
import { defaultedFields, without } from '../cases/defaults.js';
import { readVerdicts } from '../verdicts/verdict.js';
import { fieldsOf, type Candidate, type LooseDescriptor } from '../descriptors/candidate.js';
import { describe, isFailure, printOperator, printTable, printTotal } from './report.js';
import { judge, type Judged } from './judge.js';
import { resultOf } from '../descriptors/refusal.js';
import { candidates } from '../descriptors/operators.js';

export const descriptors: Mode = {
  summary:
    'Our validation and DirectML judge random descriptors, half of them valid by construction, half with one mutation. They must ' +
    'agree, except for the rules that are stricter on purpose. A name is that of an operator, and gives a table of the mutations.',
  names: Object.keys(candidates),
  options: { seed: '', cases: 'how many descriptors of each operator (default: 500)', case: '', show: '' },
  run(given) {
    const descriptor = given.caseOf(readDescriptor);
    return descriptor === undefined ? compareOperators(given) : judgeOne(descriptor);
  },
};

/** The numbers of descriptors for operators that get more than the others. */
const DESCRIPTORS: Readonly<Record<string, number>> = { scatterNd: 10_000 };
/** Descriptors per child process. Starting one takes seconds, so each judges several operators. */
const BATCH = 5_000;

export const stored: Mode = {
  option: 'stored',
  summary: 'Our validation and DirectML judge the descriptors in checks/verdicts/stored.',
  options: {},
  async run() {
    const verdicts = operatorTypes.flatMap(readVerdicts);
    const judged = await judge(verdicts.map(({ descriptor, verdict }) => ({ rule: `open: ${verdict}`, descriptor })));
    const failures = judged.filter(isFailure);
    printFailures(failures.map(describe), Infinity);
    printTotal(operatorTypes.length, judged);
    return failures.length;
  },
};

async function compareOperators(given: Given): Promise<number> {
  const { names } = given;
  const [seed, shown] = [given.seed(), given.shown()];
  console.log(`seed ${seed}`);
  const left = names.map((name) => ({ name, count: given.numberOf('cases', DESCRIPTORS[name] ?? 500) }));
  const total = left.reduce((sum, plan) => sum + plan.count, 0);
  const all: Judged[] = [];
  const inferred: Judged[] = [];
  while (left.length > 0) {
    const batch = takeBatch(left);
    const judged = await judge(
      batch.flatMap((plan) => candidatesOf(plan.name, seed, plan.count)),
      (done) => showProgress(`${all.length + done} of ${total} descriptors`),
    );
    const judgedAgain = await judge(againOf(judged));
    showProgress('');
    all.push(...judged);
    inferred.push(...judgedAgain);
    printFailures(judgedAgain.filter(isFailure).map(describe), shown);
    for (const plan of batch) {
      const own = judged.splice(0, plan.count);
      if (given.isNamed) printTable(plan.name, own);
      printOperator(plan.name, own, shown);
    }
  }
  printTotal(names.length, all, inferred);
  return [...all, ...inferred].filter(isFailure).length;
}

function readDescriptor(json: string): LooseDescriptor {
  const descriptor = readJson(json);
  if (!isDescriptor(descriptor)) throw new TypeError('here it is a descriptor of an operator');
  return descriptor;
}

async function judgeOne(descriptor: LooseDescriptor): Promise<number> {
  const judged = await judge([{ rule: 'given', descriptor }]);
  for (const one of judged) console.log(`${describe(one)}\n${one.outcome} ${one.strictRule ?? ''}`);
  return judged.filter(isFailure).length;
}

function isDescriptor(value: unknown): value is LooseDescriptor {
  return typeof value === 'object' && value !== null && 'type' in value && isOperatorType(String(value.type));
}

/**
 * First, each valid descriptor with outputs that validation infers. Then, if validation accepts it without the fields that have a
 * default, with the defaults that validation fills in. DirectML must accept both.
 */
function againOf(judged: readonly Judged[]): Candidate[] {
  const valid = judged.filter(({ outcome }) => outcome === 'valid').map(({ descriptor }) => descriptor);
  const short = valid.flatMap((descriptor) => {
    const names = new Set(defaultedFields(descriptor.type));
    return names.size === 0 ? [] : (inferred(without(descriptor, names)) ?? []);
  });
  return [
    ...valid.map((descriptor) => ({ rule: 'valid, outputs left out', descriptor: inferredFrom(descriptor) })),
    ...short.map((descriptor) => ({ rule: 'valid, defaults left out', descriptor })),
  ];
}

function inferredFrom(descriptor: LooseDescriptor): LooseDescriptor {
  // If validation cannot infer its outputs, neither side accepts the descriptor without them, which counts as a failure.
  const outputs = fieldsOf(descriptor).filter(({ role }) => role === 'output');
  const names = new Set(outputs.map(({ name }) => name));
  const others = Object.entries(descriptor).filter(([name]) => !names.has(name));
  return inferred(descriptor) ?? { ...Object.fromEntries(others), type: descriptor.type };
}

/** The descriptor with its outputs and defaults filled in; null if validation refuses it. */
function inferred(descriptor: LooseDescriptor): LooseDescriptor | null {
  const whole = resultOf(() => withInferredOutputs(descriptor));
  return whole instanceof DirectMLError ? null : { ...whole };
}

/** Removes operators from the front of `left`: at least one, and as many as fit into a batch. */
function takeBatch<T extends { readonly count: number }>(left: T[]): T[] {
  let sum = 0;
  const end = left.findIndex(({ count }, i) => (sum += count) > BATCH && i > 0);
  return left.splice(0, end === -1 ? left.length : end);
}

/** The candidates of an operator. They depend only on its name and the seed. */
function candidatesOf(name: string, seed: number, count: number): Candidate[] {
  return Array.from({ length: count }, (_, index) => candidates[name]?.(Random.of(seed, name, index)) ?? []).flat();
}
