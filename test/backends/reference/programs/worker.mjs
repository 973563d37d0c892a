/**
 * `node worker.mjs STAGE [inner] [threadPool]`: ends the process or the device while the worker of the reference backend
 * multiplies large matrices for many seconds. Writes each result as a line of JSON.
 */
import { subscribe } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { createDevice } from 'node-directml';
import { threadPoolDevice } from './thread-pool-device.mjs';

const [, , stage = '', ...parts] = process.argv;
/** True if three threads compute, however many processors the machine has. */
const hasThreadPool = parts.includes('threadPool');
const now = () => ({ at: performance.now(), used: process.cpuUsage() });
/** In milliseconds, by the clock or of the processors, whichever is less: on a busy machine, the process may have to wait. */
function since({ at, used } = began) {
  const { user, system } = process.cpuUsage(used);
  return Math.min(performance.now() - at, (user + system) / 1000);
}
const began = now();

/** The threads that were started and have not ended. */
let threads = 0;
subscribe('worker_threads', (message) => {
  if (typeof message !== 'object' || message === null || !('worker' in message)) return;
  const { worker } = message;
  if (!(worker instanceof Worker)) return;
  threads += 1;
  worker.on('exit', () => (threads -= 1));
});

/** Makes a device and dispatches `count` matrix products, about an eighth of a second each. */
async function busy(count = 800) {
  const size = 512;
  const device = hasThreadPool ? threadPoolDevice() : await createDevice({ backend: 'reference', thread: 'worker' });
  const desc = /** @type {const} */ ({ dataType: 'float32', sizes: [1, 1, size, size] });
  const ones = device.createTensor(desc, new Float32Array(size * size).fill(1));
  const gemm = await device.compile({ type: 'gemm', aTensor: desc, bTensor: desc });
  const { outputTensor } = gemm.createOutputs();
  for (let i = 0; i < count; i++) gemm.dispatch({ aTensor: ones, bTensor: ones, outputTensor });
  device.submit();
  return { device, outputTensor };
}

const mebibytes = () => process.memoryUsage().rss / 2 ** 20;

async function fill(/** @type {boolean} */ disposes, waits = true) {
  const device = await createDevice({ backend: 'reference', thread: 'worker' });
  const outputTensor = /** @type {const} */ ({ dataType: 'float32', sizes: [1 << 20] });
  const filled = await device.compile({ type: 'fillValueConstant', outputTensor, valueDataType: 'float32', value: 1 });
  // Recording waits a second for the worker, in which it might not even start on a busy machine.
  await device.idle();
  const before = mebibytes();
  let most = 0;
  for (let i = 0; i < 200; i++) {
    const tensor = device.createTensor(outputTensor);
    filled.dispatch({ outputTensor: tensor });
    if (waits) await device.idle();
    if (disposes) tensor.dispose();
    most = Math.max(most, mebibytes());
  }
  print({ isFreed: most - before < 500 });
}

/** The first and the last element. */
const ends = (/** @type {ArrayLike<unknown>} */ values) => [values[0], values[values.length - 1]];

const print = (/** @type {unknown} */ value) => console.log(JSON.stringify(value));

/** @type {Record<string, () => Promise<void>>} */
const stages = {
  /** Awaits nothing, so the process ends at once and drops the work. */
  async natural() {
    await busy();
    print('end');
  },
  async unused() {
    await createDevice({ backend: 'reference', thread: 'worker' });
    print({ threads });
  },
  /** Waiting for `device.lost` does not keep the process alive. */
  async watching() {
    const { device } = await busy();
    void device.lost.then(() => print('lost'));
    print('end');
  },
  async exit() {
    await busy();
    await sleep(200);
    const start = now();
    process.on('exit', () => print(since(start) < 100 ? 'soon' : 'late'));
    process.exit(42);
  },
  async uncaught() {
    const { outputTensor } = await busy();
    void outputTensor.read();
    setTimeout(() => {
      throw new Error('thrown on purpose, with a read in flight');
    }, 100);
  },
  async dispose() {
    const { device } = await busy();
    await sleep(200);
    const start = now();
    device.dispose();
    const took = since(start);
    const { reason } = await device.lost;
    while (threads > 0) await sleep(1);
    print({ reason, returned: took < 100, ended: since(start) < 1000 });
  },
  /** An awaited read keeps the process alive, and resolves even if the device is disposed of meanwhile. */
  async read() {
    const { device, outputTensor } = await busy(1);
    const read = outputTensor.read();
    device.dispose();
    print(ends(await read));
  },
  /** Threads without work do not keep the process alive. */
  async computed() {
    const { outputTensor } = await busy(1);
    print(ends(await outputTensor.read()));
    const start = now();
    process.on('exit', () => print(since(start) < 1000 ? 'soon' : 'late'));
  },
  /** A read keeps the process alive even if the program does not await it. */
  async forgotten() {
    const { outputTensor } = await busy(1);
    void outputTensor.read().then((values) => print(ends(values)));
  },
  /** Terminates a worker thread of the program in which a device is computing. */
  async nested() {
    const worker = new Worker(process.argv[1] ?? '', { argv: ['nested', 'inner', ...parts] });
    await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    const start = now();
    const code = await worker.terminate();
    print({ code, soon: since(start) < 1000 });
  },
  /** Uses a device in a worker thread of the program, which ends by itself. */
  async ends() {
    const worker = new Worker(process.argv[1] ?? '', { argv: ['read', 'inner', ...parts] });
    print(await new Promise((resolve) => worker.once('exit', resolve)));
  },
  /** Devices that are dropped without dispose() end their threads. */
  async dropped() {
    for (let i = 0; i < 3; i++) await (await busy(1)).outputTensor.read();
    const some = threads > 0;
    for (let i = 0; i < 200 && threads > 0; i++) {
      globalThis.gc?.();
      await sleep(10);
    }
    print({ some, threads });
  },
  /** Fills 200 tensors of 4 MiB. Most are freed meanwhile, whether the program disposes of them or drops them. */
  disposed: () => fill(true),
  undisposed: () => fill(false),
  /** The same for a program that never waits for the worker. */
  unawaited: () => fill(true, false),
  /** Writes 800 × 1 MiB, so much that write() waits for the worker instead of holding all copies. */
  async writes() {
    const { device, outputTensor } = await busy(1);
    const bytes = new Uint8Array(1 << 20);
    const before = mebibytes();
    for (let i = 1; i <= 800; i++) outputTensor.buffer.write(bytes.fill(i % 100));
    print({ isFreed: mebibytes() - before < 500, last: new Uint8Array(await outputTensor.buffer.read())[1234] });
    device.dispose();
  },
  /** A function that the program has replaced throws while the thread starts. The device is lost, and the thread ends. */
  async replaced() {
    const { get } = Object.getOwnPropertyDescriptor(Map.prototype, 'size') ?? {};
    const replace = (/** @type {() => unknown} */ by) => Object.defineProperty(Map.prototype, 'size', { get: by });
    subscribe('worker_threads', () =>
      replace(() => {
        if (get) replace(get);
        throw new Error('thrown on purpose');
      }),
    );
    const device = await createDevice({ backend: 'reference', thread: 'worker' });
    const tensor = device.createTensor({ dataType: 'float32', sizes: [1 << 20] });
    await tensor.read().catch(({ code }) => print(code));
  },
  /** The engine collects dropped devices in time: 50 devices never have 30 threads at once. */
  async many() {
    let most = 0;
    for (let i = 0; i < 50; i++) {
      const device = await createDevice({ backend: 'reference', thread: 'worker' });
      await device.createTensor({ dataType: 'float32', sizes: [1 << 16] }).read();
      most = Math.max(most, threads);
    }
    print({ few: most < 30 });
  },
};

if (parts.includes('inner') && stage === 'nested') {
  await busy();
  parentPort?.postMessage('busy');
  setInterval(() => undefined, 1000);
} else {
  await stages[stage]?.();
  if (stage === 'natural' && isMainThread) process.on('exit', () => print(since() < 5000 ? 'soon' : 'late'));
}
