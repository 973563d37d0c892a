/** A worker thread that makes calls until it is terminated. */
import { parentPort, workerData } from 'node:worker_threads';
import { roundsOf } from './plays.js';
import type { PlayName, RoundOrder } from './round.js';

const { play, order }: { play: PlayName; order: RoundOrder } = workerData;
void roundsOf(play).then((run) => run(order, { begin: () => undefined, fail: (failure) => parentPort?.postMessage(failure) }));
