/**
 * The specification's ScatterND on the real DirectML, by require: what `npm run pack:check` runs with the installed
 * package. Prints one line of JSON. `WORKER` in the arguments: does it in a worker thread.
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
