/** A thread of a thread pool that never finishes its chunk and keeps overwriting the shared memory, as a late thread might. */
import { workerData } from 'node:worker_threads';
import './take-chunk.mjs';

const bytes = new Uint8Array(workerData.simd.memory.buffer);
for (;;) bytes.fill(0xff);
