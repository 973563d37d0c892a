// @ts-check
// A thread that runs programs, so that everything they leave behind ends with it. A message is the address of a program, and the
// answer is what it prints. An error ends the thread.
import { format } from 'node:util';
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', async (/** @type {string} */ program) => {
  /** @type {string[]} */
  const printed = [];
  console.log = (...values) => void printed.push(format(...values));
  await import(program);
  parentPort?.postMessage(printed.join('\n'));
});
