// @ts-check
// Compares JavaScript with the C++ program of bench/native, both on the real DirectML. Windows' node.exe runs it:
//   node bench/directml.mjs REPORT ROUNDS [TEXT]
// It writes the results to the file REPORT as JSON. TEXT selects rows by their names.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createDevice } from 'node-directml';
import { driverVersions } from '#lib/cli/doctor/drivers.js';
import { hashOf } from './data.mjs';
import { selected, takeTurns, timed } from './rounds.mjs';
import { contests, measurements, plans } from './rows.mjs';

const program = fileURLToPath(new URL(`../build/win32-${process.arch}/directml-bench.exe`, import.meta.url));

/** Starts the C++ program. `ask` sends it a command and returns its answer, `end` ends it. */
async function startProgram(/** @type {string} */ directmlPath, /** @type {string} */ luid) {
  const child = spawn(program, [directmlPath, luid], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () => {
    const line = await lines.next();
    if (line.done) throw new Error(`${program} ended with exit code ${String((await ended)[0])}`);
    return line.value;
  };
  await answer();
  return {
    async ask(/** @type {string} */ command) {
      child.stdin.write(`${command}\n`);
      const text = await answer();
      if (Number.isNaN(Number(text))) throw new Error(`${command}: ${text}`);
      return Number(text);
    },
    async end() {
      child.stdin.end();
      await ended;
    },
  };
}

/**
 * The side that is C++ answers with its own times.
 * @returns {Promise<import('./rounds.mjs').Comparison>}
 */
async function compareWithCpp(
  /** @type {import('node-directml').Device} */ device,
  /** @type {Awaited<ReturnType<typeof startProgram>>} */ cpp,
  /** @type {import('./rows.mjs').Plan} */ { command, name, bytes, limit, share, prepare },
  /** @type {number} */ rounds,
) {
  const work = await prepare(device);
  const times = await takeTurns(
    rounds * share,
    5,
    () => timed(work.run),
    async () => (await cpp.ask(command)) / 1000,
  );
  const equal = work.result === null || hashOf(await work.result()) === (await cpp.ask(`check ${command}`));
  return { name, ours: 'JS', theirs: 'C++', bytes, limit, equal, ...times };
}

/** Measures the rows in whose names `only` occurs. */
async function main(/** @type {string} */ report, /** @type {number} */ rounds, /** @type {string} */ only) {
  const device = await createDevice({ backend: 'directml' });
  const { adapter, directmlPath, directmlVersion } = device.info;
  if (adapter === null || directmlPath === null || directmlVersion === null) throw new Error('the device is not one of DirectML');
  const [driver = null] = await driverVersions([adapter]);
  /** @type {(import('./rounds.mjs').Comparison | import('./rounds.mjs').Measurement)[]} */
  const measured = [];
  const add = (/** @type {typeof measured[number]} */ one) => {
    measured.push(one);
    console.error(`measured: ${one.name}`);
  };
  const chosen = selected(plans, only);
  if (chosen.length > 0) {
    const cpp = await startProgram(directmlPath, adapter.luid);
    for (const plan of chosen) add(await compareWithCpp(device, cpp, plan, rounds));
    await cpp.end();
  }
  for (const { name, compare } of selected(contests, only)) add({ name, ...(await compare(device, rounds)) });
  device.dispose();
  for (const { name, measure } of selected(measurements, only)) add({ name, ...(await measure()) });
  /** @type {import('./machine.mjs').Surroundings} */
  const surroundings = { adapter: { name: adapter.name, driver }, directml: directmlVersion, node: process.versions.node };
  writeFileSync(report, JSON.stringify({ surroundings, measured }));
}

const [report, rounds, only] = process.argv.slice(2);
if (report === undefined) throw new Error('usage: node bench/directml.mjs REPORT ROUNDS [TEXT]');
await main(report, Number(rounds ?? 41), only ?? '');
