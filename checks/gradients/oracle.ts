/** Gradients against those of PyTorch, whose answers are asked for once, for all cases. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Device } from 'node-directml';
import { fromBase64 } from '../cases/case.js';
import { runPython, writeAnswers as write } from '../harness/python.js';
import { Random } from '../harness/random.js';
import { attempt, drawCase, type GradientCase, type Outcome } from './check.js';
import { numbers, type Drawn, type Program } from './program.js';

/** What PyTorch computed, or why it did not. `change` is how sensitive a number is to rounding. */
export type Answer =
  | { readonly value: number; readonly change: number; readonly gradients: Readonly<Record<string, Gradient>> }
  | { readonly error: string };
interface Gradient {
  /** Base64 of floats of 64 bits. */
  readonly elements: string;
  readonly change: number;
}

/** A case with its answer. */
export interface Answered extends GradientCase {
  readonly answer: Answer;
}

const relative = 1e-5;
/** Shows that both compute the same function. How exact DirectML computes it, such as arcs, is what npm run conformance checks. */
const sameFunction = 1e-3;
const absolute = 1e-6;

/** Every fourth case has equal elements, except where PyTorch takes another side of a kink. */
const otherSides: readonly string[] = [];

export function drawForPyTorch(given: GradientCase): Drawn | Outcome {
  return drawCase(given, given.number % 4 === 3 && !otherSides.includes(given.operator));
}

/** The answers of one process with PyTorch, which the sandbox installs. */
export function askPyTorch(programs: readonly string[]): readonly Answer[] {
  return JSON.parse(runPyTorch('run.py', `[${programs.join(',\n')}]`)) as readonly Answer[];
}

/** What a program of the folder `pytorch` makes of some JSON. */
export function runPyTorch(name: string, json: string): string {
  return runPython(['numpy', 'torch'], join('checks', 'gradients', 'pytorch', name), json);
}

/** Returns the name of the file. */
export function writeAnswers(answered: readonly Answered[]): string {
  return write('gradients', JSON.stringify(answered));
}

export function readAnswers(file: string): readonly Answered[] {
  return JSON.parse(readFileSync(file, 'utf8')) as readonly Answered[];
}

/** The program as JSON; or why the case has none. */
export async function programOf(device: Device, drawn: Drawn): Promise<string | Outcome> {
  let json = '';
  const outcome = await attempt(device, drawn, (program) => {
    json = JSON.stringify(program.toData());
    return Promise.resolve({ kind: 'passed', why: '' });
  });
  return outcome.kind === 'passed' ? json : outcome;
}

export async function compareWithPyTorch(program: Program, answer: Answer): Promise<Outcome> {
  if ('error' in answer) return { kind: 'unsuitable', why: answer.error };
  const { value, size } = await program.valueAt(0);
  if (!(Math.abs(value - answer.value) <= sameFunction * size + 4 * answer.change + absolute)) {
    return { kind: 'failed', why: `value ${value}, PyTorch ${answer.value}` };
  }
  const gradients = await program.gradients();
  for (const [name, { elements, change }] of Object.entries(answer.gradients)) {
    const expected = new Float64Array(fromBase64(elements).buffer);
    const own = gradients[name] ?? [];
    const largest = expected.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
    const tolerance = relative * largest + 4 * change + absolute;
    const wrong = expected.findIndex((each, i) => !(Math.abs(each - (own[i] ?? NaN)) <= tolerance));
    if (wrong < 0) continue;
    const why = `gradient of ${name}, element ${wrong}: ${own[wrong]}, PyTorch ${expected[wrong]}, tolerance ${tolerance}`;
    return { kind: 'failed', why };
  }
  return { kind: 'passed', why: '' };
}

/** A case with what PyTorch computed, in few numbers. */
export interface Expectation extends GradientCase {
  /** Of descriptor and elements, which change with the generators of cases. */
  readonly digest: string;
  readonly value: number;
  /** By input, sums of the gradient's elements with two sets of weights. */
  readonly slopes: Readonly<Record<string, readonly number[]>>;
}

/** Undefined for cases that rounding changes too much. */
export function expectationOf(program: string, { answer, ...own }: Answered): Expectation | undefined {
  if ('error' in answer || answer.change > relative * Math.max(1, Math.abs(answer.value))) return undefined;
  const slopes: Record<string, number[]> = {};
  for (const [name, { elements, change }] of Object.entries(answer.gradients)) {
    const gradient = new Float64Array(fromBase64(elements).buffer);
    if (change > 1e-4 || gradient.some((each) => Math.abs(each) > 1e3)) return undefined;
    slopes[name] = projections(name, gradient).map(({ sum }) => Number(sum.toPrecision(8)));
  }
  return { ...own, digest: digestOf(program), value: Number(answer.value.toPrecision(8)), slopes };
}

/** Returns what differs; an empty text if nothing does. */
export async function differenceFrom({ digest, value, slopes }: Expectation, program: Program): Promise<string> {
  if (digestOf(JSON.stringify(program.toData())) !== digest)
    return 'another case than the stored one: npm run gradients -- --pytorch --write';
  const own = await program.valueAt(0);
  if (!(Math.abs(own.value - value) <= sameFunction * own.size + absolute)) return `value ${own.value}, PyTorch ${value}`;
  const gradients = await program.gradients();
  for (const [name, expected] of Object.entries(slopes)) {
    for (const [i, { sum, size }] of projections(name, gradients[name] ?? []).entries()) {
      const tolerance = 2 * relative * size + absolute;
      if (!(Math.abs(sum - (expected[i] ?? NaN)) <= tolerance))
        return `gradient of ${name}, sum ${i}: ${sum}, PyTorch ${expected[i]}`;
    }
  }
  return '';
}

function digestOf(program: string): string {
  const { inputs, weights } = JSON.parse(program) as { readonly inputs: unknown; readonly weights: unknown };
  return createHash('sha256')
    .update(JSON.stringify([inputs, weights]))
    .digest('base64')
    .slice(0, 6);
}

/** Sums of the elements with two sets of weights, and the sums of the sizes of their addends. */
function projections(name: string, elements: ArrayLike<number>) {
  return [0, 1].map((i) => {
    const products = numbers(Random.of('projection', name, i), elements.length).map(
      (weight, at) => weight * (elements[at] ?? NaN),
    );
    return { sum: products.reduce((all, each) => all + each, 0), size: products.reduce((all, each) => all + Math.abs(each), 0) };
  });
}

export const storedFile = join('checks', 'gradients', 'pytorch', 'stored.jsonl');

export function readStored(): readonly Expectation[] {
  const lines = readFileSync(storedFile, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Expectation);
}
