/** Loses devices, and then waits for nothing but `lost`. Prints what it was told. The argument says where and how. */
import { Worker, isMainThread } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import { createDevice, DirectMLError } from 'node-directml';
import { backendOf } from '#lib/api/device-internals.js';
import { DirectMLBackend } from '#lib/backends/directml/index.js';

const [name, way = ''] = process.argv.slice(2);
const backend = name === 'reference' ? name : 'directml';
const path = fileURLToPath(import.meta.url);

/**
 * Like a driver reset: nobody notices the loss before the next call.
 * @param {import('node-directml').Device} device
 */
function loseUnnoticed(device) {
  const opened = backendOf(device);
  if (!(opened instanceof DirectMLBackend)) throw new TypeError('only a DirectML device can be removed');
  opened.removeForTesting();
  try {
    device.createBuffer(16);
    console.log('nothing was thrown');
  } catch (error) {
    console.log(error instanceof DirectMLError ? error.code : error);
  }
}

async function lose() {
  const device = await createDevice({ backend });
  if (way === 'after a failed call') loseUnnoticed(device);
  else device.simulateLoss();
  console.log((await device.lost).reason);
  // The Direct3D device of an adapter is a new one only after the lost one was released.
  device.dispose();
}

if (way === 'in workers' && isMainThread) {
  for (let i = 0; i < 2; i++) {
    const worker = new Worker(path, { argv: [backend, way] });
    // A thread that waits for a promise that never settles ends with 13.
    console.log(await new Promise((resolve) => worker.on('exit', resolve)));
  }
} else {
  await lose();
}
// A device works after each loss, in each thread.
const next = await createDevice({ backend });
console.log((await next.createTensor({ dataType: 'float32', sizes: [2] }, [1, 2]).read()).join());
next.dispose();
