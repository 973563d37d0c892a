// Generates 200 tokens and then COUNT more, in a process of its own, and prints how much more memory is in use afterwards:
//   node many-tokens.mjs FOLDER BACKEND COUNT
import process from 'node:process';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createDevice } from 'node-directml';
import { createDecoder } from '../../../examples/generate/decoder.mjs';
import { loadModel } from '../../../examples/generate/model.mjs';

setFlagsFromString('--expose-gc');
/** @type {() => void} */
const collect = runInNewContext('gc');

const [folder = '', backend, count] = process.argv.slice(2);
const device = await createDevice({ backend: backend === 'directml' ? 'directml' : 'reference' });
const decoder = await createDecoder(device, await loadModel(device, folder, { dataType: 'float32' }), {
  context: Number(count) + 300,
});
await decoder.prefill([1, 2, 3]);
const generate = async (/** @type {number} */ count) => {
  for (let i = 0; i < count; i++) await decoder.next();
  // What was dropped while the model was loaded does not count, whenever the engine would collect it.
  for (let i = 0; i < 2; i++) {
    collect();
    await turn();
  }
  const { buffers, persistent } = device.memory();
  return { buffers, persistent, rss: process.memoryUsage.rss() };
};
const before = await generate(200);
const after = await generate(Number(count));
const full = await generate(100).then(
  () => '',
  (error) => String(error),
);
const growth = {
  buffers: after.buffers - before.buffers,
  persistent: after.persistent - before.persistent,
  rssMiB: (after.rss - before.rss) / 2 ** 20,
};
console.log(JSON.stringify({ growth, full }));
device.dispose();
