// batch-worker.mjs
import { parentPort } from 'node:worker_threads';
import { createDevice } from 'node-directml';
import { reduce } from 'node-directml/operators';

const device = await createDevice();
const lengths = device.jit((vectors) => reduce(vectors, { function: 'l2', axes: [1] }));

parentPort?.on('message', async (batch) => {
  const result = await device.scope(async () => {
    const vectors = device.createTensor({ dataType: 'float32', sizes: [batch.length / 2, 2] }, batch);
    return (await lengths(vectors)).read();
  });
  parentPort?.postMessage(result, [result.buffer]); // without a copy
});
