// @ts-check
// The rows of `npm run bench -- --scaling`: how time and memory grow with the size of the work. Windows' node.exe runs this file:
//   node bench/scaling.mjs REPORT ROUNDS SECONDS [TEXT]
// It writes the results to the file REPORT as JSON. Each size is measured once, in a process of its own.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createDevice } from 'node-directml';
import { writeReport } from './report-file.mjs';
import { selected } from './rounds.mjs';
import { scalingRows } from './scaling-rows.mjs';

/**
 * `thread` and `done` are milliseconds: how long the JavaScript thread works, and until the device has finished. `memory` and
 * `heap` are MiB: by how much the process and JavaScript's heap have grown.
 * @typedef {{ size: number, thread: number, done: number, memory: number, heap: number }} Size
 */
/** @typedef {{ name: string, unit: string, sizes: Size[] }} Scaled */

const start = promisify(execFile);
const child = fileURLToPath(new URL('scaling-child.mjs', import.meta.url));

async function main(/** @type {string} */ report, /** @type {string} */ only) {
  const device = await createDevice({ backend: 'directml' });
  const { info } = device;
  device.dispose();
  /** @type {Scaled[]} */
  const measured = [];
  for (const { name, unit, sizes } of selected(scalingRows, only)) {
    /** @type {Scaled} */
    const row = { name, unit, sizes: [] };
    for (const size of sizes) {
      const { stdout } = await start(process.execPath, ['--expose-gc', child, name, `${size}`]);
      row.sizes.push(JSON.parse(stdout));
      console.error(`measured: ${size} ${unit}`);
    }
    measured.push(row);
  }
  await writeReport(report, info, measured);
}

const [report, , , only = ''] = process.argv.slice(2);
if (report === undefined) throw new Error('usage: node bench/scaling.mjs REPORT ROUNDS SECONDS [TEXT]');
await main(report, only);
