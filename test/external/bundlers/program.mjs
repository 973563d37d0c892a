/**
 * The program that the tests bundle: `node BUNDLE BACKEND [ADDON]`. It computes an operator, a graph and a WebNN graph, and with
 * ADDON computes them in a worker thread too. It writes one line of JSON.
 */
import Module from 'node:module';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import directml, { createDevice, DirectMLError } from 'node-directml';
import { ml, MLGraphBuilder, tensorOf } from 'node-directml/webnn';

const [, file = '', backend, addonPath] = process.argv;
const options = { backend: backend === 'directml' ? /** @type {const} */ ('directml') : /** @type {const} */ ('reference') };
/** The paths of the addons that this thread has loaded. */
const addons = () => Object.keys(Module.createRequire(file).cache).filter((path) => path.endsWith('.node'));

async function compute() {
  const atImport = addons();
  const unnamed = addonPath === undefined ? null : await createDevice(options).then(() => 'a device', gist);
  const device = await directml.createDevice({ ...options, ...(addonPath === undefined ? {} : { addonPath }) });
  const values = { operator: await scatter(device), graph: await multiply(device), webnn: await rectify(device) };
  const { directmlPath } = device.info;
  device.dispose();
  const inThread = await negateInThread().catch(gist);
  return { atImport, unnamed, ...values, inThread, misspelt: await misspell(), directmlPath, addons: addons() };
}

/** Computes on the reference in a thread of its own, whose file is not part of the bundle. */
async function negateInThread() {
  const device = await createDevice({ backend: 'reference', thread: 'worker' });
  const inputTensor = device.createTensor({ dataType: 'float32', sizes: [2] }, [1, 2]);
  const { outputTensor } = await device.run({ type: 'elementWiseNegate', inputTensor });
  const values = await outputTensor.read();
  device.dispose();
  return String(values);
}

/** The example of ScatterND in the ONNX specification. */
async function scatter(/** @type {import('node-directml').Device} */ device) {
  const operator = await device.compile({
    type: 'scatterNd',
    inputTensor: { dataType: 'float32', sizes: [1, 8] },
    indicesTensor: { dataType: 'uint32', sizes: [4, 1] },
    updatesTensor: { dataType: 'float32', sizes: [1, 4] },
    inputDimensionCount: 1,
  });
  const { outputTensor } = operator.createOutputs();
  operator.dispatch({
    inputTensor: device.createTensor({ dataType: 'float32', sizes: [1, 8] }, [1, 2, 3, 4, 5, 6, 7, 8]),
    indicesTensor: device.createTensor({ dataType: 'uint32', sizes: [4, 1] }, [4, 3, 1, 7]),
    updatesTensor: device.createTensor({ dataType: 'float32', sizes: [1, 4] }, [9, 10, 11, 12]),
    outputTensor,
  });
  return String(await outputTensor.read());
}

/** x · weights + x */
async function multiply(/** @type {import('node-directml').Device} */ device) {
  const graph = device.createGraph();
  const x = graph.input('x', { dataType: 'float32', sizes: [2, 2] });
  const weights = graph.constant({ dataType: 'float32', sizes: [2, 2] }, [1, 2, 3, 4]);
  const { outputTensor: product } = graph.add({ type: 'gemm', aTensor: x, bTensor: weights });
  const { outputTensor: y } = graph.add({ type: 'elementWiseAdd', aTensor: product, bTensor: x });
  const compiled = await graph.compile({ y });
  const result = await compiled.run({ x: device.createTensor(x, [1, 0, 0, 10]) });
  return String(await result.y.read());
}

/** WebNN uses the device, and the device uses WebNN's tensor, so both must come from one copy of the package. */
async function rectify(/** @type {import('node-directml').Device} */ device) {
  const context = await ml.createContext(device);
  const builder = new MLGraphBuilder(context);
  const desc = /** @type {const} */ ({ dataType: 'float32', shape: [3] });
  const graph = await builder.build({ y: builder.relu(builder.input('x', desc)) });
  const x = await context.createTensor({ ...desc, writable: true });
  const y = await context.createTensor({ ...desc, readable: true });
  context.writeTensor(x, Float32Array.of(-1, 0, 2));
  context.dispatch(graph, { x }, { y });
  const { outputTensor } = await device.run({ type: 'activationLinear', inputTensor: tensorOf(y), alpha: 2, beta: 1 });
  return String(await outputTensor.read());
}

/** Fails with an error whose stack must lead to this function. */
async function misspell() {
  // @ts-expect-error: misspelt
  return createDevice({ backend: 'refrence' }).then(() => 'a device', gist);
}

function gist(/** @type {unknown} */ error) {
  if (!(error instanceof DirectMLError)) return String(error);
  return { code: error.code, message: error.message, stack: error.stack };
}

/** An asynchronous function, because CommonJS has no top-level `await`. */
async function main() {
  const result = await compute();
  const print = (/** @type {unknown} */ inWorker) => console.log(JSON.stringify({ ...result, inWorker }));
  if (!isMainThread) parentPort?.postMessage(result);
  else if (addonPath === undefined) print(null);
  else new Worker(file, { argv: process.argv.slice(2) }).on('message', print);
}

void main();
