/** Runs one test file in a process of its own. */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { FileResult, Report, Subtest } from './result.js';
import type { TestRun } from './test-files.js';

/** What the child needs to know. */
export interface Task extends TestRun {
  readonly root: string;
  readonly backend: 'directml' | 'reference';
}

/** The environment variable with the task. */
export const taskVariable = 'NODE_DIRECTML_WPT_TASK';

/** `silence` is how long the file may give no result, in milliseconds. */
export async function runFile(task: Task, silence: number): Promise<FileResult> {
  const started = performance.now();
  const subtests: Subtest[] = [];
  const ends: Extract<Report, { kind: 'end' }>[] = [];
  let output = '';
  const child = fork(join(__dirname, 'child.js'), [], {
    env: { ...process.env, [taskVariable]: JSON.stringify(task) },
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  const collect = (data: Buffer) => (output = `${output}${data.toString()}`.slice(-4000));
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  const stop = () => child.kill('SIGKILL');
  let timer = setTimeout(stop, silence);
  child.on('message', (report: Report) => {
    clearTimeout(timer);
    timer = setTimeout(stop, silence);
    if (report.kind === 'subtest') subtests.push(report.subtest);
    else ends.push(report);
  });
  const code = await new Promise<number | string | null>((resolve) => {
    child.on('close', (exitCode, signal) => resolve(exitCode ?? signal));
  });
  clearTimeout(timer);
  const milliseconds = Math.round(performance.now() - started);
  const [end] = ends;
  const hangs = child.killed;
  const common = { file: task.file, variant: task.variant, milliseconds, output };
  if (end !== undefined) return { ...common, subtests, harness: end.harness, message: end.message, left: end.left };
  const message = hangs ? `no result in ${silence / 1000} s` : `the process ended with ${code}`;
  const rest = { name: '(rest of the file)', status: hangs ? 'TIMEOUT' : 'FAIL', message };
  return { ...common, subtests: [...subtests, rest], harness: hangs ? 'TIMEOUT' : 'CRASH', message, left: [] };
}
