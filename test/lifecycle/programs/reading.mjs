/** A worker thread with more large reads than fit into the staging memory at a time, until it is terminated. */
import { parentPort } from 'node:worker_threads';
import { createDevice } from 'node-directml';

const device = await createDevice({ backend: 'directml' });
const buffer = device.createBuffer(64 * 2 ** 20);
for (let i = 0; i < 4; i++) void buffer.read();
parentPort?.postMessage('reading');
