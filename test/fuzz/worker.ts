/** A worker thread that makes calls until it is terminated. */
import { parentPort, workerData } from 'node:worker_threads';
import type { WorkerOrder } from './endings.js';
import { runRound } from './round.js';

const CALLS = 500;

async function main(): Promise<void> {
  const order: WorkerOrder = workerData;
  await runRound(
    { seed: order.seed, from: order.index, count: CALLS, isMainThread: false },
    { begin: () => undefined, fail: (failure) => parentPort?.postMessage(failure) },
  );
}

void main();
