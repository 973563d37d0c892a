/**
 * Computes the specification's ScatterND example on the real DirectML. `npm run pack:check` runs it with the installed package,
 * which it loads with require. Prints one line of JSON. With the argument `WORKER`, it computes in a worker thread.
 */
'use strict';
const { isMainThread, parentPort, Worker } = require('node:worker_threads');

if (process.argv.includes('WORKER') && isMainThread) {
  const worker = new Worker(__filename, { argv: [] });
  worker.on('message', (line) => console.log(line));
} else {
  require('./scatter.js')
    .scatter(require('node-directml'))
    .then(
      (result) => {
        if (isMainThread) console.log(result);
        else parentPort?.postMessage(result);
      },
      (error) => {
        console.error(error);
        process.exitCode = 1;
      },
    );
}
