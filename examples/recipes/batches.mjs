import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const batches = [1, 2, 3, 4, 5].map((n) => Float32Array.of(3 * n, 4 * n, 5 * n, 12 * n)); // two vectors each
const results = [];
const queue = batches.entries();

async function work() {
  const worker = new Worker(new URL('batch-worker.mjs', import.meta.url));
  for (const [i, batch] of queue) {
    worker.postMessage(batch, [batch.buffer]);
    [results[i]] = await once(worker, 'message'); // rejects if the worker fails
  }
  await worker.terminate();
}

await Promise.all([work(), work()]);
console.log(results.map((result) => result.join(' '))); // [ '5 13', '10 26', '15 39', '20 52', '25 65' ]
