/** A worker thread that makes calls until it is terminated. */
import { parentPort, workerData } from 'node:worker_threads';
import { runRound, type RoundOrder } from './round.js';

const order: RoundOrder = workerData;
void runRound(order, { begin: () => undefined, fail: (failure) => parentPort?.postMessage(failure) });
