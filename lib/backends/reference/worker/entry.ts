/** What the threads of the reference backend run. The package has it, with all that it imports, as one file. */
import { parentPort, workerData } from 'node:worker_threads';
import { engage } from '../compute/matrix-tiles.js';
import { ThreadCrew } from '../crew/crew.js';
import { runMember, type MemberStart } from '../crew/member.js';
import { protocolVersion, type Batch, type Start } from './protocol.js';
import { Server } from './server.js';

// link.ts gives it, or crew.ts.
const start = workerData as Start | MemberStart;
if (start.role === 'member') runMember(start);
if (start.version !== protocolVersion) throw new Error('it is of another version of node-directml');
engage(new ThreadCrew(start.crew));
const server = new Server(start.counters, (answer, moved) => parentPort?.postMessage(answer, moved));
parentPort?.on('message', (batch: Batch) => server.run(batch));
