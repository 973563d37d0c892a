// batch-worker.mjs
import { parentPort } from 'node:worker_threads';
import { createDevice } from 'node-directml';
import { norm } from 'node-directml/array';

const device = await createDevice();
const lengths = device.jit((vectors) => norm(vectors, { axis: 1 }));

parentPort?.on('message', async (batch) => {
  const result = await device.scope(async () => {
    const vectors = device.tensor(batch, { sizes: [batch.length / 2, 2] });
    return (await lengths(vectors)).read();
  });
  parentPort?.postMessage(result, [result.buffer]); // without a copy
});
