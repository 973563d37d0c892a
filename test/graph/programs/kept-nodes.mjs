/**
 * `node --expose-gc kept-nodes.mjs`: compiles graphs of a thousand nodes, and keeps only what `compile` returned. Writes how many
 * bytes of JavaScript's memory each of their nodes takes then.
 */
import { createDevice } from 'node-directml';
import { buildChain, nodes } from './chain.mjs';

const graphs = 10;
const device = await createDevice({ backend: 'directml' });

async function compile() {
  const { graph, value } = buildChain(device);
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
