/** What the threads of the reference backend run. The package has it, with all that it imports, as one file. */
import { parentPort, workerData } from 'node:worker_threads';
import { engage } from '../../../compute/matrix-tiles.js';
import { ThreadPool } from '../thread-pool/thread-pool.js';
import { runMember, type MemberStart } from '../thread-pool/member.js';
import { protocolVersion, type Batch, type Start } from './protocol.js';
import { Server } from './server.js';

// channel.ts gives it, or thread-pool.ts.
const start = workerData as Start | MemberStart;
if (start.role === 'member') runMember(start);
if (start.version !== protocolVersion) throw new Error('it is of another version of node-directml');
engage(new ThreadPool(start.threadPool));
const server = new Server(start.counters, (answer, moved) => parentPort?.postMessage(answer, moved));
parentPort?.on('message', (batch: Batch) => server.run(batch));
