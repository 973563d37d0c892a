/** A thread of a thread pool that never computes its chunk, and then writes everywhere, as one that comes too late may. */
import { workerData } from 'node:worker_threads';
import './take-chunk.mjs';

const bytes = new Uint8Array(workerData.simd.memory.buffer);
for (;;) bytes.fill(0xff);
