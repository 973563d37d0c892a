/**
 * `node --expose-gc kept-nodes.mjs`: compiles graphs of a thousand nodes, and keeps only what `compile` returned. Writes how many
 * bytes of JavaScript's memory each of their nodes takes then.
 */
import { createDevice } from 'node-directml';

const graphs = 10;
const nodes = 1_000;
const device = await createDevice({ backend: 'directml' });

async function compile() {
  const graph = device.createGraph();
  /** @type {import('node-directml').Value} */
  let value = graph.input('x', { dataType: 'float32', sizes: [4] });
  for (let i = 0; i < nodes; i++) value = graph.add({ type: 'activationRelu', inputTensor: value }).outputTensor;
  return graph.compile({ value });
}

function usedBytes() {
  for (let i = 0; i < 3; i++) globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const kept = [await compile(), await compile()];
const before = usedBytes();
for (let i = 0; i < graphs; i++) kept.push(await compile());
console.log((usedBytes() - before) / (graphs * nodes));
device.dispose();
console.error(`${kept.length} graphs`);
