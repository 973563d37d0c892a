/** `npm run gradients`: the gradients of operators against differences of what they compute, and against PyTorch's. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDevice, type Device, type OperatorType } from 'node-directml';
import { gradientRuleOf } from '#lib/gradients/rule-of.js';
import { showProgress } from '../harness/report.js';
import { runTool, type Given, type Mode } from '../harness/tool.js';
import { readCase, type ConformanceCase } from '../cases/case.js';
import { operatorTypes } from '../operators/cases.js';
import { attempt, checkGradient, type GradientCase, type Outcome } from '../gradients/check.js';
import {
  askPyTorch,
  compareWithPyTorch,
  drawForPyTorch,
  expectationOf,
  programOf,
  readAnswers,
  runPyTorch,
  storedFile,
  writeAnswers,
  type Answered,
} from '../gradients/oracle.js';
import { lossesFile, steps, trainings } from '../gradients/trainings.js';

type Subject = GradientCase['operator'];

const differentiable: readonly OperatorType[] = operatorTypes.filter((type) => typeof gradientRuleOf(type) !== 'string');

const cases = {
  seed: '',
  cases: 'how many cases of each operator (default: 200)',
  from: '',
} as const;

const gradients: Mode = {
  summary:
    'Compares the gradients of the named operators (of all that have one, if none is named) with differences of their outputs. ' +
    'Descriptors are those of the conformance cases; elements are drawn where the operator is smooth.',
  names: operatorTypes,
  options: { ...cases, case: '', backend: 'directml or reference (default: directml)' },
  async run(given) {
    const single = given.caseOf(readCase);
    const device = await deviceOf(given);
    const seed = given.seed();
    if (single !== undefined) return checkSingle(device, single, seed);
    const tally = new Tally();
    for (const operator of chosen(given)) {
      for (const number of numbersOf(given)) {
        if (tally.compared(operator) === given.numberOf('cases', 200)) break;
        tally.add({ operator, seed, number }, await checkGradient(device, { operator, seed, number }));
      }
      tally.print(operator);
    }
    device.dispose();
    return tally.end();
  },
};

const pytorch: Mode = {
  option: 'pytorch',
  summary:
    'Compares each element of the gradients with those of PyTorch, on the reference: of operators, and of random programs. The ' +
    'sandbox installs PyTorch on first use (1 GB). In every fourth case of an operator, many elements are equal.',
  names: [...operatorTypes, 'programs'],
  options: { ...cases, backend: 'directml compares those of DirectML, too' },
  async run(given) {
    const device = await createDevice({ backend: 'reference', thread: 'caller' });
    const seed = given.seed();
    const asked = [];
    for (const operator of chosen(given))
      asked.push(...(await programsOf(device, operator, seed, numbersOf(given), given.numberOf('cases', 200))));
    const answered = answersTo(asked);
    const failures = await compareAll(device, answered);
    device.dispose();
    if (given.choiceOf('backend', ['reference', 'directml']) === 'reference') return failures;
    const args = [join('checks', 'run-tool.mjs'), 'gradients', '--answers', writeAnswers(answered)];
    return failures + (spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1);
  },
};

const write: Mode = {
  option: 'write',
  summary:
    'Writes the expectations of the tests again, as PyTorch computes them: of operators, of random programs, and of trainings.',
  options: {},
  async run() {
    const device = await createDevice({ backend: 'reference', thread: 'caller' });
    const lines: string[] = [];
    for (const [operators, wanted] of [[differentiable, 4] as const, [['programs'], 300] as const]) {
      const asked = [];
      for (const operator of operators) {
        const numbers = Array.from({ length: 10 * wanted }, (_, i) => i);
        asked.push(...(await programsOf(device, operator, 1, numbers, Math.ceil(1.5 * wanted))));
      }
      const answered = answersTo(asked);
      for (const operator of operators) {
        const found = asked.flatMap(({ program }, i) => {
          const each = answered[i];
          return each?.operator === operator ? (expectationOf(program, each) ?? []) : [];
        });
        lines.push(...found.slice(0, wanted).map((each) => JSON.stringify(each)));
      }
    }
    device.dispose();
    writeFileSync(storedFile, `${lines.join('\n')}\n`);
    const models = trainings.map(({ name, weights, data, rate }) => ({ name, weights, data, rate }));
    writeFileSync(lossesFile, runPyTorch('trainings.py', JSON.stringify({ steps, models })));
    console.log(`${lines.length} cases and ${models.length} trainings written`);
    return 0;
  },
};

const answers: Mode = {
  option: 'answers',
  summary: 'Compares the gradients of DirectML with the answers of PyTorch that --pytorch --backend directml has stored.',
  argument: 'FILE',
  options: { backend: 'directml or reference (default: directml)' },
  async run(given) {
    if (given.argument === undefined) throw given.mistake('name the file with the answers');
    const device = await deviceOf(given);
    const failures = await compareAll(device, readAnswers(given.argument));
    device.dispose();
    return failures;
  },
};

async function checkSingle(device: Device, single: ConformanceCase, seed: number): Promise<number> {
  const { kind, why } = await checkGradient(device, single, seed);
  device.dispose();
  console.log(`${single.descriptor.type} --seed ${seed}: ${kind}${why === '' ? '' : `, ${why}`}`);
  return kind === 'failed' ? 1 : 0;
}

async function compareAll(device: Device, answered: readonly Answered[]): Promise<number> {
  const tally = new Tally(' --pytorch');
  for (const operator of new Set(answered.map((each) => each.operator))) {
    for (const { answer, ...own } of answered.filter((each) => each.operator === operator)) {
      const drawn = drawForPyTorch(own);
      const check = (program: Parameters<typeof compareWithPyTorch>[0]) => compareWithPyTorch(program, answer);
      tally.add(own, 'kind' in drawn ? drawn : await attempt(device, drawn, check));
    }
    tally.print(operator);
  }
  return tally.end();
}

interface Asked extends GradientCase {
  readonly program: string;
}

/** Some cases as programs. */
async function programsOf(device: Device, operator: Subject, seed: number, numbers: readonly number[], wanted: number) {
  const asked: Asked[] = [];
  for (const number of numbers) {
    if (asked.length === wanted) break;
    const drawn = drawForPyTorch({ operator, seed, number });
    const program = 'kind' in drawn ? drawn : await programOf(device, drawn);
    if (typeof program === 'string') asked.push({ operator, seed, number, program });
    else if (program.kind === 'failed') throw new Error(`${operator} --seed ${seed} --from ${number}: ${program.why}`);
  }
  showProgress(`${operator}: ${asked.length} cases `);
  return asked;
}

function answersTo(asked: readonly Asked[]): readonly Answered[] {
  showProgress('');
  const answers = askPyTorch(asked.map(({ program }) => program));
  return asked.map(({ operator, seed, number }, i) => {
    const answer = answers[i];
    if (answer === undefined) throw new Error('PyTorch did not answer all programs');
    return { operator, seed, number, answer };
  });
}

function deviceOf(given: Given): Promise<Device> {
  const isReference = given.choiceOf('backend', ['directml', 'reference']) === 'reference';
  return createDevice(isReference ? { backend: 'reference', thread: 'caller' } : { backend: 'directml' });
}

function chosen({ names }: Given): readonly Subject[] {
  return [...differentiable, 'programs' as const].filter((name) => names.includes(name));
}

/** Numbers of cases. Those of other data types do not count, so there are more than asked for. */
function numbersOf(given: Given): readonly number[] {
  const from = given.numberOf('from', 0);
  return Array.from({ length: 12 * given.numberOf('cases', 200) }, (_, i) => from + i);
}

/** Counts the outcomes of each operator, and prints the first failures. */
class Tally {
  readonly #flag: string;
  readonly #counts = new Map<string, Record<Outcome['kind'], number>>();
  #failures = 0;

  constructor(flag = '') {
    this.#flag = flag;
  }

  add({ operator, seed, number }: GradientCase, { kind, why }: Outcome): void {
    const counts = this.#of(operator);
    counts[kind]++;
    if (kind !== 'failed') return;
    if (++this.#failures <= 20) console.log(`${operator}${this.#flag} --seed ${seed} --from ${number} --cases 1: ${why}`);
    showProgress(`${operator}: ${counts.passed} passed `);
  }

  compared(operator: string): number {
    const { passed, failed } = this.#of(operator);
    return passed + failed;
  }

  print(operator: string): void {
    const { passed, failed, kink, refused, unsuitable } = this.#of(operator);
    showProgress('');
    const rest = this.#flag === '' ? '' : `, ${unsuitable} not in PyTorch`;
    console.log(`${operator}: ${passed} passed, ${failed} failed, ${kink} not smooth, ${refused} refused${rest}`);
  }

  end(): number {
    console.log(`\n${this.#counts.size} operators, ${this.#failures} failures`);
    return this.#failures;
  }

  #of(operator: string): Record<Outcome['kind'], number> {
    const counts = this.#counts.get(operator) ?? { passed: 0, failed: 0, unsuitable: 0, refused: 0, kink: 0 };
    this.#counts.set(operator, counts);
    return counts;
  }
}

runTool({ name: 'gradients', modes: [gradients, pytorch, answers, write] });
