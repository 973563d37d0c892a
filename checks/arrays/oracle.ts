/** Functions of arrays beside NumPy, whose answers are asked for once, for all cases. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, writeJson } from '../cases/case.js';
import { runPython } from '../harness/python.js';
import type { ArrayCase } from './cases.js';
import type { Answer } from './check.js';

/** A case with what NumPy makes of it. */
export interface Answered extends ArrayCase {
  readonly answer: Answer;
}

/** Asks one process with NumPy and SciPy, which the sandbox installs. */
export function askNumPy(cases: readonly ArrayCase[]): readonly Answered[] {
  const question = `[${cases.map((each) => writeJson(each)).join(',\n')}]`;
  const answers = readJson(
    runPython(['numpy', 'scipy'], join('checks', 'arrays', 'numpy', 'run.py'), question),
  ) as readonly Answer[];
  if (answers.length !== cases.length) throw new Error('NumPy did not answer all cases');
  return cases.map((each, i) => ({ ...each, answer: answers[i] ?? { error: '' } }));
}

const storedFile = join('checks', 'arrays', 'numpy', 'stored.jsonl');

export function writeStored(answered: readonly Answered[]): void {
  writeFileSync(storedFile, `${answered.map((each) => writeJson(each)).join('\n')}\n`);
}

/** The cases that the tests compare. */
export function readStored(file = storedFile): readonly Answered[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => readJson(line) as Answered);
}
