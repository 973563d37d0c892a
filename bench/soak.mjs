// @ts-check
// The work of `npm run bench -- --soak`: for minutes, a process does what a server does, and its memory is measured meanwhile.
// Windows' node.exe runs this file:
//   node bench/soak.mjs REPORT ROUNDS SECONDS MINUTES
// It writes the samples to the file REPORT as JSON.
import { createDevice } from 'node-directml';
import { writeReport } from './report-file.mjs';

/** `second` is since the start. The memory of the process, JavaScript's heap and the memory of the device are in MiB. */
/** @typedef {{ second: number, process: number, heap: number, device: number, turns: number }} Sample */
/** @typedef {import('node-directml').Device} Device */

const megabyte = 2 ** 20;
/** In milliseconds. */
const between = 1000;

/**
 * A turn: a tensor that is written, operators with new outputs, a graph that is built, run and disposed of, a recording that is
 * replayed, a read, and an error.
 */
async function turn(/** @type {Device} */ device, /** @type {number} */ number) {
  const sizes = [1, 1, 16 + (number % 7), 64];
  const desc = /** @type {const} */ ({ dataType: 'float32', sizes });
  const count = 64 * (16 + (number % 7));
  const x = device.createTensor(desc, new Float32Array(count).fill(number % 100));
  const { outputTensor: y } = await device.run({ type: 'activationRelu', inputTensor: x });
  const { outputTensor: z } = await device.run({ type: 'elementWiseAdd', aTensor: x, bTensor: y });

  const graph = device.createGraph();
  let value = graph.input('x', desc);
  for (let i = 0; i < 10; i++) {
    value = graph.add({ type: 'elementWiseAbs', inputTensor: value, scaleBias: { scale: 0.5, bias: number } }).outputTensor;
  }
  const net = await graph.compile({ value });
  const outputs = await net.run({ x: z });
  net.dispose();

  const step = await device.prepare({ type: 'elementWiseMultiply', aTensor: x, bTensor: x });
  const recording = device.record(() => {
    for (let i = 0; i < 10; i++) step.dispatch();
  });
  recording.replay();
  const [first] = await step.outputs.outputTensor.read({ length: 1 });
  if (first !== (number % 100) ** 2) throw new Error(`turn ${number} computed ${String(first)}`);
  recording.dispose();
  step.dispose();
  try {
    device.createTensor({ dataType: 'float32', sizes: [0] });
    throw new Error('a size of 0 was accepted');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
  for (const tensor of [x, y, z, ...Object.values(outputs)]) tensor.dispose();
}

async function main(/** @type {string} */ report, /** @type {number} */ minutes) {
  let device = await createDevice({ backend: 'directml' });
  const { info } = device;
  /** @type {Sample[]} */
  const samples = [];
  const start = performance.now();
  let turns = 0;
  for (let next = start; performance.now() - start < minutes * 60_000;) {
    await turn(device, turns++);
    if (performance.now() < next) continue;
    next += between;
    await device.idle();
    const { rss, heapUsed } = process.memoryUsage();
    samples.push({
      ...{ second: Math.round((performance.now() - start) / 1000), turns },
      ...{ process: rss / megabyte, heap: heapUsed / megabyte, device: bytesOf(device) / megabyte },
    });
    if (samples.length % 60 > 0) continue;
    console.error(`measured: ${samples.length / 60} min, ${turns} turns`);
    // As after a loss, another device takes its place.
    device.dispose();
    device = await createDevice({ backend: 'directml' });
  }
  device.dispose();
  await writeReport(report, info, samples);
}

function bytesOf(/** @type {Device} */ device) {
  const { buffers, persistent, temporary, staging, descriptors } = device.memory();
  return [temporary, staging, descriptors].reduce((sum, { inUse, idle }) => sum + inUse + idle, buffers + persistent);
}

const [report, , , minutes] = process.argv.slice(2);
if (report === undefined) throw new Error('usage: node bench/soak.mjs REPORT ROUNDS SECONDS MINUTES');
await main(report, Number(minutes));
