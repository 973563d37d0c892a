// @ts-check
// The rows of `npm run bench -- --scaling`: how time and memory grow with the size of the work. Windows' node.exe runs this file:
//   node bench/scaling.mjs REPORT ROUNDS SECONDS [TEXT]
// It writes the results to the file REPORT as JSON. Each size is measured in a process of its own.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createDevice } from 'node-directml';
import { growthOf } from './growth.mjs';
import { writeReport } from './report-file.mjs';
import { selected } from './rounds.mjs';
import { scalingRows } from './scaling-rows.mjs';

/** @typedef {import('./growth.mjs').Scaled} Scaled */
/** @typedef {import('./growth.mjs').Size} Size */

const start = promisify(execFile);
const child = fileURLToPath(new URL('scaling-child.mjs', import.meta.url));
/** While a row looks superlinear, it is measured again, at most so often in all: the machine may have been slower for a while. */
const mostPasses = 3;

/** What is smaller of both: other work on the machine only ever adds to it. @returns {Size} */
function smallerOf(/** @type {Size | undefined} */ before, /** @type {Size} */ now) {
  if (before === undefined) return now;
  const { size, thread, done, memory, heap } = now;
  return {
    size,
    thread: Math.min(before.thread, thread),
    done: Math.min(before.done, done),
    memory: Math.min(before.memory, memory),
    heap: Math.min(before.heap, heap),
  };
}

async function main(/** @type {string} */ report, /** @type {string} */ only) {
  const device = await createDevice({ backend: 'directml' });
  const { info } = device;
  device.dispose();
  /** @type {Scaled[]} */
  const measured = [];
  for (const { name, unit, sizes } of selected(scalingRows, only)) {
    /** @type {Scaled} */
    const row = { name, unit, sizes: [] };
    let passes = 0;
    do {
      for (const [i, size] of sizes.entries()) {
        const { stdout } = await start(process.execPath, ['--expose-gc', child, name, `${size}`]);
        row.sizes[i] = smallerOf(row.sizes[i], JSON.parse(stdout));
        console.error(`measured: ${size} ${unit}`);
      }
      passes += 1;
    } while (passes < mostPasses && !growthOf(row).isLinear);
    measured.push(row);
  }
  await writeReport(report, info, measured);
}

const [report, , , only = ''] = process.argv.slice(2);
if (report === undefined) throw new Error('usage: node bench/scaling.mjs REPORT ROUNDS SECONDS [TEXT]');
await main(report, only);
