/**
 * Asks a child process that holds the DLL. The parent writes one native descriptor per line; the child answers with
 * one line each, written at once. A child that dies has died of the next unanswered descriptor: that counts as
 * `death`, and a new child goes on after it.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** `ok`, `death`, or `<call> <HRESULT's name>`. */
export type Verdict = string;

const ROOT = join(__dirname, '..', '..', '..');
const CHILD = join(__dirname, 'child.js');

export async function askDirectML(
  descriptors: readonly unknown[],
  progress: (done: number) => void,
): Promise<Verdict[]> {
  const folder = join(ROOT, 'build', 'parity', `${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const questions = join(folder, 'questions.jsonl');
  const answers = join(folder, 'answers.txt');
  writeFileSync(questions, descriptors.map((descriptor) => `${JSON.stringify(descriptor)}\n`).join(''));
  const verdicts: Verdict[] = [];
  let startFailures = 0;
  while (verdicts.length < descriptors.length) {
    writeFileSync(answers, '');
    const follow = setInterval(() => progress(verdicts.length + linesOf(answers).length), 500);
    const output = join(folder, 'child.log');
    const code = await runChild([questions, answers, String(verdicts.length)], output);
    clearInterval(follow);
    const lines = linesOf(answers);
    const started = lines.shift() === 'started';
    if (!started) {
      startFailures += 1;
      if (startFailures === 3) {
        throw new Error(
          `the child process cannot start (exit code ${code}):\n${readFileSync(output, 'utf8')}`,
        );
      }
      continue;
    }
    startFailures = 0;
    verdicts.push(...lines);
    if (verdicts.length < descriptors.length) verdicts.push('death');
    progress(verdicts.length);
  }
  rmSync(folder, { recursive: true });
  return verdicts;
}

function linesOf(path: string): string[] {
  // An unfinished last line is no answer.
  return readFileSync(path, 'utf8').split('\n').slice(0, -1);
}

async function runChild(paths: readonly string[], outputPath: string): Promise<number | null> {
  const output = openSync(outputPath, 'w');
  const [questions = '', answers = '', start = '0'] = paths;
  // Paths relative to the root mean the same on both sides of the sandbox.
  const script = [CHILD, questions, answers].map((path) => relative(ROOT, path));
  const sandbox = process.platform === 'win32' ? [] : [join('sandbox', 'run.mjs'), 'node'];
  const child = spawn(process.execPath, [...sandbox, ...script, start], {
    cwd: ROOT,
    stdio: ['ignore', output, output],
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  closeSync(output);
  return code;
}
