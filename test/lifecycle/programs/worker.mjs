/**
 * A worker thread that fills a tensor with `workerData` and posts it. With 'busy', it posts 'busy' while a read is in flight, and
 * is then terminated.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { createDevice } from 'node-directml';
import { descriptor, prepare } from './scatter.mjs';

if (workerData === 'busy') {
  const { device, bindings } = await prepare();
  const scatter = await device.compile(descriptor);
  for (let i = 0; i < 20; i++) scatter.dispatch(bindings);
  void bindings.outputTensor.read();
  parentPort?.postMessage('busy');
} else {
  const device = await createDevice({ backend: 'directml' });
  const output = device.createTensor({ dataType: 'float32', sizes: [4] });
  const fill = await device.compile({
    type: 'fillValueConstant',
    outputTensor: { dataType: 'float32', sizes: [4] },
    valueDataType: 'float32',
    value: workerData,
  });
  fill.dispatch({ outputTensor: output });
  parentPort?.postMessage(Array.from(await output.read()));
  device.dispose();
}
