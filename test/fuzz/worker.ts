/** A worker thread that makes calls until it is terminated. */
import { parentPort, workerData } from 'node:worker_threads';
import { playOf } from './plays.js';
import { runRound, type PlayName, type RoundOrder } from './round.js';

const { play, order }: { play: PlayName; order: RoundOrder } = workerData;
void playOf(play).then((loaded) =>
  runRound(loaded, order, { begin: () => undefined, fail: (failure) => parentPort?.postMessage(failure) }),
);
