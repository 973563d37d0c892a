/**
 * Nothing changes what the GPU is still using. The sandbox's GPU is too fast for that to show. There, the bridge makes it slow and
 * logs what it executes, what is written to descriptors and what is freed, and this test checks the log.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { judgeExecution, type Execution } from '../support/executions.js';

interface Seen {
  readonly wrong: readonly string[];
  readonly seen: Readonly<Record<'signal' | 'close' | 'heap', readonly [outcome: string, value: number]>> & {
    readonly dispatch: string;
  };
}

const program = fileURLToPath(new URL('programs/executions.mjs', import.meta.url));
/** True if the sandbox's bridge is loaded; other Direct3D DLLs would replace it. */
const hasBridge = process.env['NODE_DIRECTML_SANDBOX_RUN'] !== undefined && process.env['NODE_DIRECTML_D3D_DLLS'] === undefined;
let result: Seen;
let execution: Execution;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'node-directml-'));
  const notes = join(folder, 'notes');
  try {
    const env = { ...process.env, ...(hasBridge ? { NODE_DIRECTML_BRIDGE_EXECUTION: notes } : {}) };
    const { stdout } = await promisify(execFile)(process.execPath, [program], { env });
    result = JSON.parse(stdout);
    if (hasBridge) execution = judgeExecution((await readFile(notes, 'utf8')).trimEnd().split('\n'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('disposing of objects or recording again in flight changes no result', () => {
  expect(result.wrong).toEqual([]);
});

if (hasBridge) {
  test('the GPU executes no list twice at once, and what it uses is neither overwritten nor freed', () => {
    expect(execution.complaints).toEqual([]);
  });

  test('many lists are in flight, and descriptors are reused', () => {
    expect(execution.executed).toBeGreaterThan(150);
    expect(execution.mostInFlight).toBeGreaterThan(20);
    expect(execution.rewritten).toBeGreaterThan(1000);
    expect(execution.heaps).toBeGreaterThan(10);
  });

  test('a replay runs once even if its fence signal or a descriptor heap fails for lack of memory', () => {
    // The dispatch before adds 1, and the replay adds 1.
    expect(result.seen.signal).toEqual(['done', 2]);
    expect(result.seen.heap).toEqual(['done', 2]);
  });

  test('a replay is not repeated after the work before it was lost', () => {
    expect(result.seen.close).toEqual(['ERR_OUT_OF_MEMORY', 0]);
  });

  test('a failed dispatch keeps no buffers alive', () => {
    expect(result.seen.dispatch).toBe('ERR_OUT_OF_MEMORY');
    expect(execution.marks).toHaveLength(2);
    const [before, after] = execution.marks;
    expect([...(after ?? [])].filter((buffer) => before?.has(buffer) !== true)).toEqual([]);
  });
} else {
  console.log('executions are logged by the bridge of the Linux sandbox, which is not here');
}
