/** The process that runs one unmodified web platform test file, and writes each result at once. */
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { asChild } from '../harness/as-child.js';
import { installGlobals, runScript } from './globals.js';
import type { Report } from './result.js';
import type { Task } from './run-file.js';
import { metaOf, pathOf } from './test-files.js';

/** The functions that testharness.js adds to the globals. */
interface Harness {
  add_result_callback(callback: (test: { name: string; status: number; message: string | null }) => void): void;
  add_completion_callback(callback: (tests: unknown, status: { status: number; message: string | null }) => void): void;
}

const subtestStatus = ['PASS', 'FAIL', 'TIMEOUT', 'NOTRUN', 'PRECONDITION_FAILED'];
const harnessStatus = ['OK', 'ERROR', 'TIMEOUT', 'PRECONDITION_FAILED'];

const { args, write } = asChild();

function send(report: Report): void {
  write(JSON.stringify(report));
}

/** Reports the end of the test file, and ends the process. */
function finish(harness: string, message: string | null, left: readonly string[] = []): void {
  send({ kind: 'end', harness, message, left });
  process.exit(0);
}

function run({ root, file }: Task, listeners: ReturnType<typeof installGlobals>): void {
  // Like a window's error events, these fail the file, but the running tests continue.
  process.on('uncaughtException', (error: Error) => {
    const event = { message: error.message, error, filename: file, lineno: 0, colno: 0, preventDefault: () => undefined };
    for (const listener of listeners.error) listener(event);
    if (listeners.error.length === 0) finish('ERROR', String(error.stack));
  });
  process.on('unhandledRejection', (reason, promise) => {
    for (const listener of listeners.unhandledrejection) listener({ reason, promise, preventDefault: () => undefined });
  });
  const scripts = metaOf(root, file).flatMap(([key, value]) => (key === 'script' ? [pathOf(root, file, value)] : []));
  // Runs all scripts in one turn: without a document, testharness.js assumes in the next microtask that the page is loaded.
  runScript(join(root, 'resources/testharness.js'));
  const harness = globalThis as unknown as Harness;
  harness.add_result_callback(({ name, status, message }) => {
    send({ kind: 'subtest', subtest: { name, status: subtestStatus[status] ?? String(status), message } });
  });
  harness.add_completion_callback((_tests, { status, message }) => {
    finish(harnessStatus[status] ?? 'OK', message, leftOut());
  });
  for (const script of [...scripts, join(root, file)]) runScript(script);
}

/** The names of the tests that were left out. Newer tests keep them in `testsToSkip`. */
function leftOut(): readonly string[] {
  const names: unknown = runInThisContext('typeof testsToSkip === "undefined" ? [] : testsToSkip.map((test) => test.name)');
  return Array.isArray(names) ? names.map(String) : [];
}

try {
  send({ kind: 'start' });
  const task: Task = JSON.parse(args[0] ?? '');
  run(task, installGlobals(task));
  // Keeps the process alive for a file whose work is queued entirely in promises.
  setInterval(() => undefined, 1 << 30);
} catch (error) {
  finish('ERROR', error instanceof Error ? String(error.stack) : String(error));
}
