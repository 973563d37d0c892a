/**
 * `node --expose-gc dropped-devices.mjs`: uses ten devices of the package, drops them without dispose(), and collects
 * garbage until none is left. Writes one line of JSON: the live native objects before and after, and the results of the
 * `lost` promises of two more devices, of which only these promises were kept.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createDevice } from 'node-directml';
import { loadAddon } from '#lib/backends/directml/addon.js';

const { binding } = loadAddon();
/** @satisfies {import('node-directml').TensorDesc} */
const tensor = { dataType: 'float32', sizes: [1 << 20] };

/** Uses a device like many programs: with tensors, an operator, and a handler of `lost` that refers to the device. */
async function use() {
  const device = await createDevice({ backend: 'directml' });
  const input = device.createTensor(tensor, new Float32Array(1 << 20).fill(1));
  const output = device.createTensor(tensor);
  const identity = await device.compile({ type: 'elementWiseIdentity', inputTensor: tensor, outputTensor: tensor });
  identity.dispatch({ inputTensor: input, outputTensor: output });
  await output.read();
  void device.lost.then(() => device.dispose());
}

/** Returns the promise in an object, because an async function would wait for the promise itself. */
async function lostOf(/** @type {'directml' | 'reference'} */ backend) {
  const device = await createDevice({ backend });
  return { lost: device.lost };
}

for (let i = 0; i < 10; i++) await use();
const during = binding.liveObjects();
const kept = { directml: await lostOf('directml'), reference: await lostOf('reference') };
/** @type {Record<string, string>} */
const told = {};
for (const [backend, { lost }] of Object.entries(kept)) void lost.then(({ reason }) => (told[backend] = reason));
for (let i = 0; i < 200 && (binding.liveObjects().devices > 0 || Object.keys(told).length < 2); i++) {
  globalThis.gc?.();
  await sleep(20);
}
console.log(JSON.stringify({ during, left: binding.liveObjects(), told }));
