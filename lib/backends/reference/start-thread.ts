/** Starts the threads of the reference backend. */
import { Worker } from 'node:worker_threads';

/**
 * Starts a thread that runs the file. It gets no arguments and no environment of the program: what that preloads is not for this
 * thread. Its options inherit nothing, because a script may give Object.prototype an `env` or an `eval`.
 */
export function startThread(file: string, workerData: object): Worker {
  const options = { __proto__: null, name: 'node-directml', execArgv: [], argv: [], env: {}, workerData };
  return new Worker(file, options);
}
