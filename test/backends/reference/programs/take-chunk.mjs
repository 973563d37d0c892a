/** Takes a chunk of the thread pool's work, as the pool's threads do (see chunks.ts), but does not compute it. */
import { workerData } from 'node:worker_threads';

const numbers = new Int32Array(workerData.chunks);
const [published, taken] = [0, 1];
for (;;) {
  const chunk = Atomics.load(numbers, taken);
  Atomics.wait(numbers, published, chunk);
  if (Atomics.compareExchange(numbers, taken, chunk, chunk + 1) === chunk) break;
}
