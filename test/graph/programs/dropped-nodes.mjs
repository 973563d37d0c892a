/**
 * `node --expose-gc dropped-nodes.mjs`: builds graphs of a thousand nodes, and drops them. Writes how many bytes of each of their
 * nodes are left to the engine's next major collection, as minor ones have not freed them.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { createDevice } from 'node-directml';
import { buildChain, nodes } from './chain.mjs';

const graphs = 50;
const device = await createDevice({ backend: 'directml' });

async function buildAndDrop() {
  buildChain(device);
  await turn();
}

function usedBytes() {
  for (let i = 0; i < 3; i++) globalThis.gc?.({ type: 'minor' });
  return process.memoryUsage().heapUsed;
}

// The engine compiles what runs often.
for (let i = 0; i < graphs; i++) await buildAndDrop();
globalThis.gc?.();
const before = usedBytes();
for (let i = 0; i < graphs; i++) await buildAndDrop();
console.log((usedBytes() - before) / (graphs * nodes));
device.dispose();
