/** Runs one test file in a process of its own. */
import { runChildren, type End } from '../harness/children.js';
import type { FileResult, Report } from './result.js';
import type { TestRun } from './test-files.js';

/** The task of a child process. */
export interface Task extends TestRun {
  readonly root: string;
  readonly backend: 'directml' | 'reference';
}

/** `silence` is the longest time without a result, in milliseconds. After it, the file counts as hanging. */
export async function runFile(task: Task, silence: number): Promise<FileResult> {
  const started = performance.now();
  const reports: Report[] = [];
  const ending: { code: End; output: string } = { code: null, output: '' };
  await runChildren({
    script: 'wpt/child.js',
    flags: ['--expose-gc'],
    node: null,
    maxSilence: silence,
    next: () => (reports.length > 0 ? null : [JSON.stringify(task)]),
    onLines: (lines) => void reports.push(...lines.map((line): Report => JSON.parse(line))),
    onEnd: (code, output) => void Object.assign(ending, { code, output: output.slice(-4000) }),
  });
  const subtests = reports.flatMap((report) => (report.kind === 'subtest' ? [report.subtest] : []));
  const end = reports.find((report) => report.kind === 'end');
  const { file, variant } = task;
  const common = { file, variant, milliseconds: Math.round(performance.now() - started), output: ending.output };
  if (end !== undefined) return { ...common, subtests, harness: end.harness, message: end.message, left: end.left };
  const hangs = ending.code === 'hang';
  const message = hangs ? `no result in ${silence / 1000} s` : `the process ended with ${ending.code}`;
  const rest = { name: '(rest of the file)', status: hangs ? 'TIMEOUT' : 'FAIL', message };
  return { ...common, subtests: [...subtests, rest], harness: hangs ? 'TIMEOUT' : 'CRASH', message, left: [] };
}
