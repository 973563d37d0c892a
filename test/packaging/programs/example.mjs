/** Like example.js, but loads the package with import. */
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { createDevice } from 'node-directml';
import { scatter } from './scatter.js';

if (process.argv.includes('WORKER') && isMainThread) {
  const worker = new Worker(new URL(import.meta.url), { argv: [] });
  worker.on('message', (line) => console.log(line));
} else {
  const result = await scatter({ createDevice });
  if (isMainThread) console.log(result);
  else parentPort?.postMessage(result);
}
