/**
 * `node --expose-gc rounds.mjs COUNT`: rounds of create, dispatch, read and dispose. Writes one line of JSON: the live objects and
 * the resident memory before and after. Needs its own process, because resident memory belongs to the process.
 */
import { createDevice } from 'node-directml';
import { loadAddon } from '#lib/backends/directml/addon.js';

/** @satisfies {import('node-directml').TensorDesc} */
const tensor = { dataType: 'float32', sizes: [1, 256] };
const device = await createDevice({ backend: 'directml' });
let wrong = 0;

async function round(/** @type {number} */ value) {
  const input = device.createTensor(tensor, new Float32Array(256).fill(value));
  const output = device.createTensor(tensor);
  const identity = await device.compile({ type: 'elementWiseIdentity', inputTensor: tensor, outputTensor: tensor });
  identity.dispatch({ inputTensor: input, outputTensor: output });
  const values = await output.read();
  for (const disposable of [identity, input, output]) disposable.dispose();
  if (values[255] !== value) wrong++;
}

function measure() {
  globalThis.gc?.();
  return { live: loadAddon().binding.liveObjects(), resident: process.memoryUsage.rss() };
}

// First the pools and the heaps grow to their size.
for (let i = 0; i < 3000; i++) await round(i);
const before = measure();
const count = Number(process.argv[2]);
for (let i = 0; i < count; i++) await round(i);
const after = measure();
device.dispose();
console.log(JSON.stringify({ wrong, before, after }));
