// @ts-check
// Compares JavaScript with the C++ program of bench/native, both on the real DirectML. Windows' node.exe runs it:
//   node bench/directml.mjs REPORT ROUNDS
// It writes the results to the file REPORT as JSON.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createDevice } from 'node-directml';
import { batchDispatches, hashOf, large, small } from './data.mjs';
import { compareBuilding, compareSingly, compileWork, graphWork } from './graphs.mjs';
import { networkWork } from './network.mjs';
import { takeTurns, timed } from './rounds.mjs';
import { compareReplaying, replayWork, scatterWork } from './scatter.mjs';
import { readbackWork, readIntoWork, uploadWork } from './transfers.mjs';
import { compareWebNN } from './webnn.mjs';

const program = fileURLToPath(new URL(`../build/win32-${process.arch}/directml-bench.exe`, import.meta.url));

/** @typedef {import('node-directml').Device} Device */
/** `result` is null for work without one. @typedef {{ run: () => Promise<void>, result: (() => Promise<ArrayBufferView>) | null }} Work */

/**
 * One comparison.
 * @typedef {object} Plan
 * @property {string} command the C++ program's command for it
 * @property {string} name
 * @property {'time' | 'throughput'} measure
 * @property {number} limit see Comparison in rounds.mjs
 * @property {number} share factor of the number of rounds: short work needs more of them
 * @property {(device: Device) => Promise<Work>} prepare
 */

/** @type {readonly Plan[]} */
const plans = [
  {
    command: 'large',
    name: 'ScatterND, 1M floats, 100k updates: dispatch to completion',
    measure: 'time',
    limit: 1.05,
    share: 3,
    prepare: (device) => scatterWork(device, large, 1),
  },
  {
    command: 'batch',
    name: 'ScatterND, 1k floats: 1,000 dispatches in a batch',
    measure: 'time',
    limit: 1.1,
    share: 1,
    prepare: (device) => scatterWork(device, small, batchDispatches),
  },
  {
    command: 'network',
    name: '50 operators with buffers of their own: 1,000 dispatches',
    measure: 'time',
    limit: 1.15,
    share: 1,
    prepare: networkWork,
  },
  {
    command: 'batch',
    name: 'ScatterND, 1k floats: 1,000 dispatches replayed, and recorded by C++',
    measure: 'time',
    limit: 0.75,
    share: 1,
    prepare: replayWork,
  },
  {
    command: 'replay',
    name: 'ScatterND, 1k floats: 1,000 dispatches replayed by both',
    measure: 'time',
    limit: 1.05,
    share: 3,
    prepare: replayWork,
  },
  {
    command: 'upload',
    name: 'upload of 64 MiB',
    measure: 'throughput',
    limit: 1,
    share: 1,
    prepare: uploadWork,
  },
  {
    command: 'readback',
    name: 'readback of 64 MiB, into new memory',
    measure: 'throughput',
    limit: 0.7,
    share: 1,
    prepare: readbackWork,
  },
  {
    command: 'readinto',
    name: 'readback of 64 MiB, into the same memory each time',
    measure: 'throughput',
    limit: 0.9,
    share: 1,
    prepare: readIntoWork,
  },
  {
    command: 'compile',
    name: 'graph of 1,000 nodes: build and compile',
    measure: 'time',
    limit: 1.2,
    share: 1,
    prepare: compileWork,
  },
  {
    command: 'graph',
    name: 'graph of 100 nodes: 10 dispatches',
    measure: 'time',
    limit: 1.1,
    share: 3,
    prepare: graphWork,
  },
];

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
 * A thousand runs of an addition of 1,000 elements, each with an output of its own, against as many dispatches of the compiled
 * operator.
 * @returns {Promise<import('./rounds.mjs').Comparison>}
 */
async function compareRun(/** @type {Device} */ device, /** @type {number} */ rounds) {
  const desc = /** @type {const} */ ({ dataType: 'float32', sizes: [1, 1000] });
  const aTensor = device.createTensor(desc, new Float32Array(1000).fill(1));
  const bTensor = device.createTensor(desc, new Float32Array(1000).fill(2));
  const outputTensor = device.createTensor(desc);
  const operator = await device.compile({ type: 'elementWiseAdd', aTensor: desc, bTensor: desc });
  /** @type {import('node-directml').Tensor} */
  let last = device.createTensor(desc);
  const times = await takeTurns(
    rounds,
    5,
    () =>
      timed(async () => {
        for (let i = 0; i < batchDispatches; i++) {
          const result = await device.run({ type: 'elementWiseAdd', aTensor, bTensor });
          last.dispose();
          last = result.outputTensor;
        }
        await device.idle();
      }),
    () =>
      timed(async () => {
        for (let i = 0; i < batchDispatches; i++) operator.dispatch({ aTensor, bTensor, outputTensor });
        await device.idle();
      }),
  );
  const equal = hashOf(await last.read()) === hashOf(await outputTensor.read());
  const name = `addition of 1,000 floats: ${batchDispatches.toLocaleString('en')} times run`;
  console.log(`measured: ${name}`);
  return { name, ours: 'run', theirs: 'dispatch', measure: 'time', limit: 3, equal, ...times };
}

async function main(/** @type {string} */ report, /** @type {number} */ rounds) {
  const device = await createDevice({ backend: 'directml' });
  const { adapter, directmlPath, directmlVersion } = device.info;
  if (adapter === null || directmlPath === null) throw new Error('the device is not one of DirectML');
  const cpp = await startProgram(directmlPath, adapter.luid);
  /** @type {import('./rounds.mjs').Comparison[]} */
  const comparisons = [];
  for (const { command, name, measure, limit, share, prepare } of plans) {
    const work = await prepare(device);
    const times = await takeTurns(
      rounds * share,
      5,
      () => timed(work.run),
      async () => (await cpp.ask(command)) / 1000,
    );
    const equal = work.result === null || hashOf(await work.result()) === (await cpp.ask(`check ${command}`));
    comparisons.push({ name, ours: 'JS', theirs: 'C++', measure, limit, equal, ...times });
    console.log(`measured: ${name}`);
  }
  await cpp.end();
  comparisons.push(
    await compareRun(device, rounds),
    await compareReplaying(device, rounds),
    await compareSingly(device, rounds),
    await compareBuilding(device, rounds),
    ...(await compareWebNN(device, rounds)),
  );
  device.dispose();
  writeFileSync(report, JSON.stringify({ adapter: adapter.name, directmlVersion, comparisons }));
}

const [report, rounds] = process.argv.slice(2);
if (report === undefined) throw new Error('usage: node bench/directml.mjs REPORT ROUNDS');
await main(report, Number(rounds ?? 41));
