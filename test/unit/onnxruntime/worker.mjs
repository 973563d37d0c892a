/** A worker thread that creates, runs and releases sessions until it is terminated. */
import { parentPort, workerData } from 'node:worker_threads';
import { InferenceSession, Tensor } from 'node-directml/onnxruntime';

const { backend, bytes } = workerData;
for (;;) {
  const session = await InferenceSession.create(bytes, { backend });
  for (let rows = 1; rows < 4; rows++) {
    await session.run({ x: new Tensor('float32', new Float32Array(8 * rows), [rows, 2, 4]) });
    parentPort?.postMessage('ran');
  }
  await session.release();
}
