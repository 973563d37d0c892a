/** Gradients against those of PyTorch, whose answers are asked for once, for all cases. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Device } from 'node-directml';
import { fromBase64 } from '../cases/case.js';
import { Random } from '../harness/random.js';
import { attempt, drawCase, type Drawn, type GradientCase, type Outcome } from './check.js';
import { numbers, type Program } from './program.js';

/** What PyTorch computed, with base64 of the gradients' 64-bit floats; or why it did not. */
export type Answer =
  | { readonly value: number; readonly gradients: Readonly<Record<string, string>> }
  | { readonly error: string };

/** A case with its answer. */
export interface Answered extends GradientCase {
  readonly answer: Answer;
}

const folder = join('build', 'gradients');

/** Every fourth case has equal elements, except where PyTorch takes another side of a kink. */
const otherSides: readonly string[] = [];

export function drawForPyTorch(given: GradientCase): Drawn | Outcome {
  return drawCase(given, given.number % 4 === 3 && !otherSides.includes(given.operator));
}

/** The answers of one process with PyTorch, which the sandbox installs. */
export function askPyTorch(programs: readonly string[]): readonly Answer[] {
  mkdirSync(folder, { recursive: true });
  const [questions, answers] = [join(folder, 'programs.json'), join(folder, 'answers.json')];
  writeFileSync(questions, `[${programs.join(',\n')}]`);
  const script = join('checks', 'gradients', 'pytorch', 'run.py');
  const { status } = spawnSync(process.execPath, [join('sandbox', 'python.mjs'), script, questions, answers], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`PyTorch ended with exit code ${status}`);
  return JSON.parse(readFileSync(answers, 'utf8')) as readonly Answer[];
}

/** Returns the name of the file. */
export function writeAnswers(answered: readonly Answered[]): string {
  const file = join(folder, 'answered.json');
  writeFileSync(file, JSON.stringify(answered));
  return file;
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
  if (Math.abs(value - answer.value) > 1e-4 * size + 1e-6) {
    return { kind: 'failed', why: `value ${value}, PyTorch ${answer.value}` };
  }
  const gradients = await program.gradients();
  for (const [name, text] of Object.entries(answer.gradients)) {
    const expected = new Float64Array(fromBase64(text).buffer);
    const own = gradients[name] ?? [];
    const largest = expected.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
    if (!Number.isFinite(largest)) return { kind: 'kink', why: `the gradient of ${name} is not finite` };
    const tolerance = 1e-4 * largest + 1e-5;
    const wrong = expected.findIndex((each, i) => !(Math.abs(each - (own[i] ?? NaN)) <= tolerance));
    if (wrong < 0) continue;
    const why = `gradient of ${name}, element ${wrong}: ${own[wrong]}, PyTorch ${expected[wrong]}, tolerance ${tolerance}`;
    return { kind: 'failed', why };
  }
  return { kind: 'passed', why: '' };
}

/** Sums of the elements of a gradient with two sets of weights. */
export function projections(name: string, elements: ArrayLike<number>): number[] {
  return [0, 1].map((i) => {
    const weights = numbers(Random.of('projection', name, i), elements.length);
    return weights.reduce((sum, weight, at) => sum + weight * (elements[at] ?? 0), 0);
  });
}
