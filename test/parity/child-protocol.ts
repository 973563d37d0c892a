/**
 * Asks child processes questions that may kill them. A child writes `started`, then one line per answer as soon as it has
 * it. If it dies or is silent for too long, the first question without an answer is to blame: its answer is `death` or
 * `hang`, and a new child continues after it.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { writeJson } from '../conformance/case.js';
import { ROOT, runWatched } from './watched-child.js';

/** A child's answer. The child that holds DirectML answers `ok`, or `<call> <HRESULT's name>`. */
export type Answer = string;
export type Trouble = 'death' | 'hang';

export interface Interview {
  /** A file in this folder. Its arguments are the path for its answers, the index of the first question, then `args`. */
  readonly script: 'child.js' | 'crash-child.js' | 'dispatch-child.js' | '../graph/child.js';
  readonly args: readonly string[];
  readonly count: number;
  progress(done: number): void;
  /** Called for each death or hang. `index` is `count` if a child fails after it has answered all questions. */
  trouble(index: number, what: Trouble, output: string): void;
}

const FOLDER = join(ROOT, 'build', 'parity', `${process.pid}`);
const MAX_SILENCE_MS = 30_000;
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
    const end = await runWatched({
      // Paths are relative to the root, so that they are valid inside and outside the sandbox.
      command: [
        relative(ROOT, join(__dirname, interview.script)),
        relative(ROOT, path),
        String(answers.length),
        ...interview.args,
      ],
      written: path,
      log,
      maxSilence: MAX_SILENCE_MS,
      onWritten: () => interview.progress(answers.length + Math.max(0, linesOf(path).length - 1)),
    });
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
  // An unfinished last line is not an answer.
  return readFileSync(path, 'utf8').split('\n').slice(0, -1);
}
