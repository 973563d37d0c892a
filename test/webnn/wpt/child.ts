/** The process that runs one web platform test file, unmodified, and writes each result as soon as it is there. */
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { asChild } from '../../harness/child.js';
import { installGlobals, runScript } from './globals.js';
import type { Report } from './result.js';
import type { Task } from './run-file.js';
import { metaOf, pathOf } from './test-files.js';

/** What testharness.js adds to the globals. */
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

/** The end of the file. */
function finish(harness: string, message: string | null, left: readonly string[] = []): void {
  send({ kind: 'end', harness, message, left });
  process.exit(0);
}

function run({ root, file }: Task, listeners: ReturnType<typeof installGlobals>): void {
  // As a window's events do, these fail the file, and what runs goes on.
  process.on('uncaughtException', (error: Error) => {
    const event = { message: error.message, error, filename: file, lineno: 0, colno: 0, preventDefault: () => undefined };
    for (const listener of listeners.error) listener(event);
    if (listeners.error.length === 0) finish('ERROR', String(error.stack));
  });
  process.on('unhandledRejection', (reason, promise) => {
    for (const listener of listeners.unhandledrejection) listener({ reason, promise, preventDefault: () => undefined });
  });
  const scripts = metaOf(root, file).flatMap(([key, value]) => (key === 'script' ? [pathOf(root, file, value)] : []));
  // In one turn: without a document, testharness.js takes the page for loaded in the microtask that follows.
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

/** Newer tests keep here what they left out. */
function leftOut(): readonly string[] {
  const names: unknown = runInThisContext('typeof testsToSkip === "undefined" ? [] : testsToSkip.map((test) => test.name)');
  return Array.isArray(names) ? names.map(String) : [];
}

try {
  send({ kind: 'start' });
  const task: Task = JSON.parse(args[0] ?? '');
  run(task, installGlobals(task));
  // A file whose work is all queued in promises has nothing else that keeps the process alive.
  setInterval(() => undefined, 1 << 30);
} catch (error) {
  finish('ERROR', error instanceof Error ? String(error.stack) : String(error));
}
