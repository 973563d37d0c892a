/**
 * `node --expose-gc dropped-nodes.mjs`: builds graphs of a thousand nodes, and drops them. Writes how many bytes of each of their
 * nodes are left to the engine's next major collection, as minor ones have not freed them.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { createDevice } from 'node-directml';

const graphs = 50;
const nodes = 1_000;
const device = await createDevice({ backend: 'directml' });

async function build() {
  const graph = device.createGraph();
  /** @type {import('node-directml').Value} */
  let value = graph.input('x', { dataType: 'float32', sizes: [4] });
  for (let i = 0; i < nodes; i++) value = graph.add({ type: 'activationRelu', inputTensor: value }).outputTensor;
  await turn();
}

function usedBytes() {
  for (let i = 0; i < 3; i++) globalThis.gc?.({ type: 'minor' });
  return process.memoryUsage().heapUsed;
}

// The engine compiles what runs often.
for (let i = 0; i < graphs; i++) await build();
globalThis.gc?.();
const before = usedBytes();
for (let i = 0; i < graphs; i++) await build();
console.log((usedBytes() - before) / (graphs * nodes));
device.dispose();
