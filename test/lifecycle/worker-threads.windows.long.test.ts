/** The addon in worker threads: several at once, each with its own device, and some terminated at work. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

const program = new URL('programs/worker.mjs', import.meta.url);

function messageOf(worker: Worker): Promise<unknown> {
  return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
}

test('three worker threads compute at the same time', async () => {
  const workers = [1, 2, 3].map((value) => new Worker(program, { workerData: value }));
  const ended = workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
  expect(await Promise.all(workers.map(messageOf))).toEqual([
    [1, 1, 1, 1],
    [2, 2, 2, 2],
    [3, 3, 3, 3],
  ]);
  expect(await Promise.all(ended)).toEqual([0, 0, 0]);
});

test('after a worker is terminated with a read in flight, another one still computes', async () => {
  const busy = new Worker(program, { workerData: 'busy' });
  expect(await messageOf(busy)).toBe('busy');
  await busy.terminate();
  expect(await messageOf(new Worker(program, { workerData: 7 }))).toEqual([7, 7, 7, 7]);
});

test('workers terminated with seconds of GPU work end soon, and later leave nothing behind', async () => {
  const orphans = fileURLToPath(new URL('programs/orphans.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [orphans]);
  const rounds: { took: number; orphaned: number; left: number; resident: number }[] = stdout
    .trim()
    .split(/\r?\n/)
    .map((line) => JSON.parse(line));
  for (const { took, orphaned, left } of rounds) {
    expect({ orphaned, left }).toEqual({ orphaned: 1, left: 0 });
    expect(took).toBeLessThan(10_000);
  }
  const [first = 0, second = Infinity] = rounds.map(({ resident }) => resident / 2 ** 20);
  // Each device had 256 MiB. Direct3D itself keeps about 50 MiB for each of a process's first devices.
  expect(second - first).toBeLessThan(128);
});
