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

const parts = 3;

/** Opens a device, and says what it runs on. */
async function open() {
  const device = await createDevice({ backend: 'directml' });
  const { adapter, directmlPath, directmlVersion } = device.info;
  if (adapter === null || directmlPath === null || directmlVersion === null) throw new Error('the device is not one of DirectML');
  return { device, adapter, directmlPath, directmlVersion };
}

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
 * Measures the plans, each in several parts, with a new device and a new C++ program for each part: times of the same work
 * differ from process to process.
 * @returns {Promise<import('./rounds.mjs').Comparison[]>}
 */
async function compareWithCpp(/** @type {readonly import('./rows.mjs').Plan[]} */ chosen, /** @type {number} */ rounds) {
  const rows = chosen.map((plan) => {
    /** @type {{ equal: boolean, oursMs: number[], theirsMs: number[] }} */
    const times = { equal: true, oursMs: [], theirsMs: [] };
    return { plan, times };
  });
  for (let part = 1; part <= parts; part++) {
    const { device, adapter, directmlPath } = await open();
    const cpp = await startProgram(directmlPath, adapter.luid);
    for (const { plan, times } of rows) {
      const { equal, oursMs, theirsMs } = await measure(plan, device, cpp, Math.ceil((rounds * plan.share) / parts));
      times.equal &&= equal;
      times.oursMs.push(...oursMs);
      times.theirsMs.push(...theirsMs);
      console.error(`measured, part ${part} of ${parts}: ${plan.name}`);
    }
    await cpp.end();
    device.dispose();
  }
  return rows.map(({ plan: { name, bytes, limit }, times }) => ({ name, ours: 'JS', theirs: 'C++', bytes, limit, ...times }));
}

/** The side that is C++ answers with its own times. */
async function measure(
  /** @type {import('./rows.mjs').Plan} */ { command, burst = 1, prepare },
  /** @type {import('node-directml').Device} */ device,
  /** @type {Awaited<ReturnType<typeof startProgram>>} */ cpp,
  /** @type {number} */ rounds,
) {
  const work = await prepare(device);
  const times = await takeTurns(
    rounds,
    5,
    () => meanOf(burst, () => timed(work.run)),
    () => meanOf(burst, async () => (await cpp.ask(command)) / 1000),
  );
  const equal = work.result === null || hashOf(await work.result()) === (await cpp.ask(`check ${command}`));
  return { equal, ...times };
}

/** The mean of so many times, one after the other. */
async function meanOf(/** @type {number} */ count, /** @type {() => Promise<number>} */ time) {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += await time();
  return sum / count;
}

/** Measures the rows in whose names `only` occurs. */
async function main(/** @type {string} */ report, /** @type {number} */ rounds, /** @type {string} */ only) {
  const chosen = selected(plans, only);
  /** @type {(import('./rounds.mjs').Comparison | import('./rounds.mjs').Measurement)[]} */
  const measured = chosen.length > 0 ? await compareWithCpp(chosen, rounds) : [];
  const add = (/** @type {typeof measured[number]} */ one) => {
    measured.push(one);
    console.error(`measured: ${one.name}`);
  };
  const { device, adapter, directmlVersion } = await open();
  const [driver = null] = await driverVersions([adapter]);
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
