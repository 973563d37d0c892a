/** Loses devices, and then waits for nothing but `lost`. Prints what it was told. The argument says where and how. */
import { Worker, isMainThread } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import { createDevice } from 'node-directml';
import { backendOf } from '#lib/api/device-internals.js';

const [backend, way] = process.argv.slice(2);
const path = fileURLToPath(import.meta.url);

/** Like a driver reset: nobody notices the loss before the next call. */
function loseUnnoticed(device) {
  backendOf(device).removeForTesting();
  try {
    device.createBuffer(16);
    console.log('nothing was thrown');
  } catch (error) {
    console.log(error.code);
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
