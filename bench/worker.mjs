// @ts-check
// The benchmark's row about the reference backend in a worker: whether the JavaScript thread stays free.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDevice } from 'node-directml';
import { hashOf } from './data.mjs';
import { roundsOfPart, timed } from './rounds.mjs';
import { wantsMore } from './verdict.mjs';

const products = 20;
const side = 512;
/** The interval in milliseconds at which the event loop is checked, and so the precision of the result. */
const resolution = 1;

/**
 * Measures the longest time that the JavaScript thread is blocked while the reference backend multiplies matrices.
 * @returns {Promise<Omit<import('./verdict.mjs').Measurement, 'name'>>}
 */
export async function measureWorker(/** @type {import('./rounds.mjs').Effort} */ { rounds, seconds }) {
  const [worker, caller] = [await prepare('worker'), await prepare('caller')];
  await caller.run();
  const expected = hashOf(await caller.product.read());
  await worker.run();
  const start = performance.now();
  /** @type {number[]} */
  const idle = [];
  const blocks = {
    ...{ unit: /** @type {const} */ ('ms'), limit: 5, equal: true, control: { name: 'idle', values: idle } },
    ...{ values: /** @type {number[][]} */ ([]), seconds: 0 },
  };
  while (wantsMore(blocks, seconds)) {
    /** @type {number[]} */
    const part = [];
    for (let round = 0; round < roundsOfPart(rounds, 1); round++) {
      const { block, time } = await longestBlock(worker.run);
      part.push(block);
      // Other load on the machine delays timers as well. The same time without work shows by how much.
      idle.push((await longestBlock(() => sleep(time))).block);
    }
    blocks.values.push(part);
    blocks.seconds = (performance.now() - start) / 1000;
  }
  const equal = hashOf(await worker.product.read()) === expected;
  worker.device.dispose();
  caller.device.dispose();
  return { ours: 'blocked', ...blocks, equal };
}

/**
 * Returns the longest block of this thread during the work, and the time that the work took, in milliseconds. Node.js measures
 * the times between the events of a timer. A blocked thread delays them, so the block is the longest such time less `resolution`.
 */
async function longestBlock(/** @type {() => Promise<unknown>} */ work) {
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();
  // The first timer event only starts the measurement.
  await sleep(5 * resolution);
  const time = await timed(work);
  await sleep(2 * resolution);
  delays.disable();
  return { block: Math.max(0, delays.max / 1e6 - resolution), time };
}

async function prepare(/** @type {'worker' | 'caller'} */ thread) {
  const device = await createDevice({ backend: 'reference', thread });
  const desc = /** @type {const} */ ({ dataType: 'float32', sizes: [side, side] });
  const values = Float32Array.from({ length: side * side }, (_, i) => ((7 * i) % 67) / 64 - 0.5);
  const [aTensor, bTensor] = [device.createTensor(desc, values), device.createTensor(desc, values)];
  const outputTensor = device.createTensor(desc);
  const gemm = await device.compile({ type: 'gemm', aTensor: desc, bTensor: desc });
  await device.idle();
  return {
    device,
    product: outputTensor,
    async run() {
      for (let i = 0; i < products; i++) gemm.dispatch({ aTensor, bTensor, outputTensor });
      await device.idle();
    },
  };
}
