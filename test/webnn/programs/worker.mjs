/** Doubles `workerData.number` in a worker thread with WebNN, loaded by `import` or by `require`. */
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

const { backend, how, number } = workerData;
/** @type {typeof import('node-directml/webnn')} */
const webnn = how === 'import' ? await import('node-directml/webnn') : createRequire(import.meta.url)('node-directml/webnn');

const context = await webnn.createML({ backend }).createContext();
const builder = new webnn.MLGraphBuilder(context);
const desc = /** @type {const} */ ({ dataType: 'float32', shape: [2] });
const operand = builder.input('x', desc);
const graph = await builder.build({ y: builder.add(operand, operand) });
const x = await context.createTensor({ ...desc, writable: true });
const y = await context.createTensor({ ...desc, readable: true });
context.writeTensor(x, Float32Array.of(number, -number));
for (let i = 0; i < 20; i++) context.dispatch(graph, { x }, { y });
if (how === 'busy') {
  void context.readTensor(y);
  parentPort?.postMessage('busy');
} else {
  parentPort?.postMessage([...new Float32Array(await context.readTensor(y))]);
  context.destroy();
}
