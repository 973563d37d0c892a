/**
 * Asks child processes that may die of a question. A child writes `started`, and then one line for each answer as soon
 * as it has it. One that dies, or is silent for too long, has died of the first question without an answer: that counts
 * as `death` or `hang`, and a new child goes on after it.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { writeJson } from '../conformance/case.js';

/** What a child says; of the one that holds DirectML `ok`, or `<call> <HRESULT's name>`. */
export type Answer = string;
export type Trouble = 'death' | 'hang';

export interface Interview {
  /** Beside this file. It is given the path of its answers, the first question's index, and the arguments. */
  readonly script: 'child.js' | 'crash-child.js' | 'dispatch-child.js';
  readonly args: readonly string[];
  readonly count: number;
  progress(done: number): void;
  /** `index` is `count` for a child that answers all and then does not end well. */
  trouble(index: number, what: Trouble, output: string): void;
}

const ROOT = join(__dirname, '..', '..', '..');
const FOLDER = join(ROOT, 'build', 'parity', `${process.pid}`);
const MAX_SILENCE_MS = 30_000;
const POLL_MS = 500;
const STARTS = 3;

/** The real DirectML's verdicts on native descriptors. */
export async function askDirectML(
  descriptors: readonly unknown[],
  { progress = () => undefined, trouble = () => undefined }: Partial<Pick<Interview, 'progress' | 'trouble'>> = {},
): Promise<Answer[]> {
  mkdirSync(FOLDER, { recursive: true });
  const questions = join(FOLDER, 'questions.jsonl');
  writeFileSync(questions, descriptors.map((descriptor) => `${writeJson(descriptor)}\n`).join(''));
  return ask({ script: 'child.js', args: [relative(ROOT, questions)], count: descriptors.length, progress, trouble });
}

export async function ask(interview: Interview): Promise<Answer[]> {
  mkdirSync(FOLDER, { recursive: true });
  const path = join(FOLDER, 'answers.txt');
  const log = join(FOLDER, 'child.log');
  const answers: Answer[] = [];
  for (let starts = 1; answers.length < interview.count; starts++) {
    writeFileSync(path, '');
    const progress = () => interview.progress(answers.length + Math.max(0, linesOf(path).length - 1));
    const end = await runChild(interview, answers.length, path, log, progress);
    const output = readFileSync(log, 'utf8');
    const [started, ...lines] = linesOf(path);
    if (started === undefined) {
      if (starts === STARTS) throw new Error(`the child process cannot start (exit code ${end}):\n${output}`);
      continue;
    }
    starts = 0;
    answers.push(...lines);
    const what = end === 'hang' ? 'hang' : 'death';
    if (answers.length < interview.count || end !== 0) interview.trouble(answers.length, what, output);
    if (answers.length < interview.count) answers.push(what);
    interview.progress(answers.length);
  }
  rmSync(FOLDER, { recursive: true });
  return answers;
}

function linesOf(path: string): string[] {
  // An unfinished last line is no answer.
  return readFileSync(path, 'utf8').split('\n').slice(0, -1);
}

/** Runs a child on Windows' node.exe, and gives its exit code. */
async function runChild(
  { script, args }: Interview,
  start: number,
  answers: string,
  log: string,
  progress: () => void,
): Promise<number | null | 'hang'> {
  // Paths relative to the root mean the same on both sides of the sandbox.
  const command = [relative(ROOT, join(__dirname, script)), relative(ROOT, answers), String(start), ...args];
  const sandbox = process.platform === 'win32' ? [] : [join('sandbox', 'run.mjs'), 'node'];
  const output = openSync(log, 'w');
  const child = spawn(process.execPath, [...sandbox, ...command], { cwd: ROOT, stdio: ['ignore', output, output] });
  let hangs = false;
  let size = 0;
  let silentSince = Date.now();
  const watch = setInterval(() => {
    const grown = statSync(answers).size;
    if (grown !== size) {
      size = grown;
      silentSince = Date.now();
      progress();
    } else if (Date.now() - silentSince > MAX_SILENCE_MS) {
      hangs = true;
      child.kill();
    }
  }, POLL_MS);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(hangs ? 'hang' : code));
    });
  } finally {
    clearInterval(watch);
    closeSync(output);
  }
}
