// @ts-check
// What `npm run bench -- --scaling` makes larger and larger.
import { createDevice } from 'node-directml';
import { gateOf } from './gate.mjs';
import { timed } from './rounds.mjs';

/** @typedef {import('node-directml').Device} Device */
/**
 * Work of one size. It returns how long the JavaScript thread worked, in milliseconds, and how to release what the work holds.
 * @typedef {{ work: () => Promise<{ thread: number, release?: () => unknown }> }} Work
 */
/**
 * @typedef {object} ScalingRow
 * @property {string} name
 * @property {string} unit what the sizes count
 * @property {readonly number[]} sizes
 * @property {(device: Device, size: number) => Work | Promise<Work>} prepare
 */

/** How many different operators have run. */
let operators = 0;
const desc = /** @type {const} */ ({ dataType: 'float32', sizes: [5] });

/** Returns a function that times calls while the device is held back, and waits until it has finished what they recorded. */
async function timedAlone(/** @type {Device} */ device) {
  const gate = await gateOf(device);
  return async (/** @type {() => void} */ calls) => {
    gate.hold();
    const time = await timed(calls);
    gate.open();
    await device.idle();
    return time;
  };
}

async function increment(/** @type {Device} */ device) {
  const tensor = device.createTensor(desc);
  const one = { type: /** @type {const} */ ('elementWiseIdentity'), scaleBias: { scale: 1, bias: 1 } };
  return device.prepare({ ...one, inputTensor: tensor, outputTensor: tensor });
}

/** @type {readonly ScalingRow[]} */
export const scalingRows = [
  {
    name: 'dispatches',
    unit: 'dispatches',
    sizes: [1, 10, 100, 1000, 10_000, 100_000, 300_000, 1_000_000],
    async prepare(device, size) {
      const step = await increment(device);
      const alone = await timedAlone(device);
      return {
        work: async () => {
          let thread = 0;
          // In parts, because a device has at most 128 batches in flight.
          for (let i = 0; i < size; i += 10_000) {
            thread += await alone(() => {
              for (let j = i; j < Math.min(size, i + 10_000); j++) step.dispatch();
            });
          }
          return { thread };
        },
      };
    },
  },
  {
    name: 'graph-nodes',
    unit: 'nodes of a graph, which is compiled',
    sizes: [10, 100, 1000, 5000, 15_000, 50_000],
    prepare: (device, size) => ({
      async work() {
        const graph = device.createGraph();
        let value = graph.input('input', desc);
        const built = await timed(() => {
          for (let i = 0; i < size; i++) {
            value = graph.add({ type: 'elementWiseAbs', inputTensor: value, scaleBias: { scale: 0.5, bias: 1 } }).outputTensor;
          }
        });
        const start = performance.now();
        const compiling = graph.compile({ value });
        const thread = built + (performance.now() - start);
        const net = await compiling;
        return { thread, release: () => net.dispose() };
      },
    }),
  },
  {
    name: 'tensor-bytes',
    unit: 'bytes',
    sizes: [2 ** 10, 2 ** 14, 2 ** 18, 2 ** 22, 2 ** 26, 2 ** 28, 2 ** 29, 2 ** 30, 2 ** 31],
    prepare(device, size) {
      const bytes = new Uint8Array(size).fill(7);
      return {
        async work() {
          const start = performance.now();
          const buffer = device.createBuffer(size);
          buffer.write(bytes);
          const thread = performance.now() - start;
          await buffer.readInto(bytes);
          return { thread, release: () => buffer.dispose() };
        },
      };
    },
  },
  {
    name: 'devices',
    unit: 'devices',
    sizes: [1, 3, 10, 30, 100],
    prepare: (_, size) => ({
      async work() {
        /** @type {Device[]} */
        const devices = [];
        const thread = await timed(async () => {
          while (devices.length < size) devices.push(await createDevice({ backend: 'directml' }));
        });
        return { thread, release: () => devices.forEach((device) => device.dispose()) };
      },
    }),
  },
  {
    name: 'recordings',
    unit: 'recordings of ten dispatches, each replayed',
    sizes: [1, 10, 100, 300, 1000, 3000],
    async prepare(device, size) {
      const step = await increment(device);
      const alone = await timedAlone(device);
      return {
        async work() {
          /** @type {import('node-directml').Recording[]} */
          const recordings = [];
          let thread = 0;
          for (let i = 0; i < size; i += 50) {
            thread += await alone(() => {
              while (recordings.length < Math.min(size, i + 50)) {
                const recording = device.record(() => {
                  for (let j = 0; j < 10; j++) step.dispatch();
                });
                recording.replay();
                recordings.push(recording);
              }
            });
          }
          return { thread, release: () => recordings.forEach((recording) => recording.dispose()) };
        },
      };
    },
  },
  {
    name: 'recorded-dispatches',
    unit: 'dispatches in a recording, which is replayed',
    sizes: [1, 10, 100, 1000, 6000, 20_000, 60_000],
    async prepare(device, size) {
      const step = await increment(device);
      return {
        async work() {
          const start = performance.now();
          const recording = device.record(() => {
            for (let i = 0; i < size; i++) step.dispatch();
          });
          recording.replay();
          const thread = performance.now() - start;
          return { thread, release: () => recording.dispose() };
        },
      };
    },
  },
  {
    name: 'cached-operators',
    unit: 'different operators, each run once',
    sizes: [1, 10, 100, 1000, 3000, 10_000],
    prepare(device, size) {
      const inputTensor = device.createTensor(desc);
      return {
        async work() {
          const thread = await timed(async () => {
            for (let i = 0; i < size; i++) {
              operators++;
              const scaleBias = { scale: 1, bias: operators };
              const { outputTensor } = await device.run({ type: 'elementWiseIdentity', inputTensor, scaleBias });
              outputTensor.dispose();
            }
          });
          return { thread };
        },
      };
    },
  },
];
