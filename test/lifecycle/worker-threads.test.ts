/** The addon in worker threads: several at once, each with a device of its own, and one terminated at work. */
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

test('a worker terminated with a read in flight leaves the process well', async () => {
  const busy = new Worker(program, { workerData: 'busy' });
  expect(await messageOf(busy)).toBe('busy');
  await busy.terminate();
  expect(await messageOf(new Worker(program, { workerData: 7 }))).toEqual([7, 7, 7, 7]);
});
