// @ts-check
// The rows of `npm run bench -- --startup`: how long the package takes to load and to open a device, and the memory of a process
// with devices, beside the C++ program. Each round starts new processes. Windows' node.exe runs this file:
//   node bench/startup.mjs REPORT ROUNDS SECONDS
// It writes the results to the file REPORT as JSON.
import { execFile } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { program } from './cpp-program.mjs';
import { writeReport } from './report-file.mjs';
import { measureValues, takeTurns } from './rounds.mjs';

/** @typedef {import('./rounds.mjs').Effort} Effort */
/** @typedef {import('./verdict.mjs').Measurement} Measurement */

const start = promisify(execFile);
const child = fileURLToPath(new URL('startup-child.mjs', import.meta.url));
const megabyte = 2 ** 20;
/** The largest time of an import in milliseconds. Starting it, Wine maps all files anew. */
const importLimit = process.platform === 'win32' ? 120 : 20;

/** What a process with so many devices measured: see startup-child.mjs. */
async function ours(/** @type {number} */ devices) {
  const { stdout } = await start(process.execPath, [child, `${devices}`]);
  return JSON.parse(stdout);
}

/** The same of the C++ program, which prints microseconds and bytes. */
async function theirs(
  /** @type {import('node-directml').DeviceInfo} */ { directmlPath, adapter },
  /** @type {number} */ devices,
) {
  const { stdout } = await start(program, [directmlPath ?? '', adapter?.luid ?? '', 'startup', `${devices}`]);
  const [time = NaN, grown = NaN] = stdout.split(' ').map(Number);
  return { opened: time / 1000, grown };
}

/** The time of an import on this system. @returns {Promise<Measurement>} */
export async function measureImport(/** @type {Effort} */ effort) {
  const name = `import on ${process.platform === 'win32' ? 'Windows' : process.platform}`;
  const row = /** @type {const} */ ({ ours: 'import', unit: 'ms', limit: importLimit });
  return { name, ...(await measureValues(row, effort, async () => (await ours(0)).imported)) };
}

async function main(/** @type {string} */ report, /** @type {Effort} */ effort) {
  const { info } = await ours(1);
  const measured = [await measureImport(effort)];
  const few = { ...effort, rounds: Math.ceil(effort.rounds / 3) };
  const turns = await takeTurns(
    { ...few, limit: 1.2 },
    async () => (await ours(1)).opened,
    async () => (await theirs(info, 1)).opened,
  );
  const opening = { name: 'createDevice in a new process', ours: 'JS', theirs: 'C++', equal: true, ...turns };
  for (const devices of [1, 100]) {
    const name = `memory of a process after ${devices} ${devices === 1 ? 'device' : 'devices, each disposed of'}: more than C++`;
    const more = async () => Math.max(0, (await ours(devices)).grown - (await theirs(info, devices)).grown) / megabyte;
    const row = /** @type {const} */ ({ ours: 'more', unit: 'MiB', limit: 30 });
    measured.push({ name, ...(await measureValues(row, { rounds: 1, seconds: 0 }, more)) });
  }
  await writeReport(report, info, [opening, ...measured]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [report = '', rounds, seconds] = process.argv.slice(2);
  await main(report, { rounds: Number(rounds), seconds: Number(seconds) });
}
