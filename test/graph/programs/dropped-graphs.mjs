/**
 * `node --expose-gc dropped-graphs.mjs`: compiles and runs graphs that it does not dispose of. Writes one line of JSON: the live
 * objects before, and after the graphs were collected.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createDevice } from 'node-directml';
import { loadAddon } from '#lib/backends/directml/addon.js';

const device = await createDevice({ backend: 'directml' });
const desc = /** @type {const} */ ({ dataType: 'float32', sizes: [32 * 1024] });
const data = new Float32Array(32 * 1024);
const { binding } = loadAddon();

async function compileAndDrop() {
  const graph = device.createGraph();
  const x = graph.input('x', desc);
  const weight = graph.constant(desc, data);
  const sum = graph.add({ type: 'elementWiseAdd', aTensor: x, bTensor: weight });
  const { outputTensor: y } = graph.add({ type: 'elementWiseAdd', aTensor: sum.outputTensor, bTensor: weight });
  const net = await graph.compile({ y });
  const input = device.createTensor(desc);
  const outputs = await net.run({ x: input });
  await outputs.y.read();
  input.dispose();
  outputs.y.dispose();
}

async function settle() {
  for (let i = 0; i < 20; i++) {
    globalThis.gc?.();
    await sleep(10);
  }
  const { buffers, operators } = binding.liveObjects();
  return { buffers, operators };
}

await compileAndDrop();
const before = await settle();
for (let i = 0; i < 20; i++) await compileAndDrop();
const after = await settle();
device.dispose();
console.log(JSON.stringify({ before, after }));
