/** What the worker of the reference backend runs. The package has it, with all that it imports, as one file. */
import { parentPort, workerData } from 'node:worker_threads';
import { protocolVersion, type Batch, type Start } from './protocol.js';
import { Server } from './server.js';

// link.ts gives it.
const { counters, version } = workerData as Start;
if (version !== protocolVersion) throw new Error('it is of another version of node-directml');
const server = new Server(counters, (answer, moved) => parentPort?.postMessage(answer, moved));
parentPort?.on('message', (batch: Batch) => server.run(batch));
