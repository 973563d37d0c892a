// @ts-check
// The benchmark's rows about WebNN: a network built by `node-directml/webnn`, and the same nodes built by createGraph.
import { MLGraphBuilder, ml } from 'node-directml/webnn';
import { graphDispatches, hashOf } from './data.mjs';
import { takeTurns, timed } from './rounds.mjs';

/** @typedef {import('node-directml').Device} Device */
/** @typedef {import('node-directml').Value} Value */
/** @typedef {import('node-directml/webnn').MLContext} MLContext */
/** @typedef {import('./rounds.mjs').Compared} Compared */

/** Each layer has 10 operators. */
const layers = 20;
const rows = 8;
const columns = 32;
const heads = 4;
const size = /** @type {const} */ ([rows, columns]);
const split = [rows, heads, columns / heads];
const float = /** @type {const} */ ('float32');

const inputData = Float32Array.from({ length: rows * columns }, (_, i) => (i % 61) / 64 - 0.25);
const weightData = Float32Array.from({ length: columns * columns }, (_, i) => ((7 * i) % 67) / 256 - 0.125);
const biasData = Float32Array.from({ length: columns }, (_, i) => (i % 5) / 32);

/** Builds the network as a program for browsers would. */
async function buildByWebNN(/** @type {MLContext} */ context) {
  const builder = new MLGraphBuilder(context);
  const input = builder.input('input', { dataType: float, shape: [...size] });
  let x = input;
  for (let i = 0; i < layers; i++) {
    const weights = builder.constant({ dataType: float, shape: [columns, columns] }, weightData);
    const bias = builder.constant({ dataType: float, shape: [columns] }, biasData);
    const product = builder.add(builder.matmul(x, weights), bias);
    const scores = builder.reshape(builder.sigmoid(product), split);
    const weighted = builder.mul(builder.softmax(scores, 2), scores);
    const joined = builder.reshape(weighted, [...size]);
    x = builder.tanh(builder.relu(builder.add(joined, x)));
  }
  return builder.build({ output: x });
}

/** Builds the same network from the operators to which WebNN converts it. */
function buildByGraph(/** @type {Device} */ device) {
  const graph = device.createGraph();
  const input = graph.input('input', { dataType: float, sizes: size });
  /** @type {Value} */
  let x = input;
  for (let i = 0; i < layers; i++) {
    const weights = graph.constant({ dataType: float, sizes: [columns, columns] }, weightData);
    const bias = graph.constant({ dataType: float, sizes: [columns] }, biasData);
    const product = graph.add({ type: 'gemm', aTensor: x, bTensor: weights }).outputTensor;
    const biased = graph.add({ type: 'elementWiseAdd', aTensor: product, bTensor: bias.broadcastTo(size) }).outputTensor;
    const scores = graph.add({ type: 'activationSigmoid', inputTensor: biased }).outputTensor.reshape(split);
    const shares = graph.add({ type: 'activationSoftmax1', inputTensor: scores, axes: [2] }).outputTensor;
    const weighted = graph.add({ type: 'elementWiseMultiply', aTensor: shares, bTensor: scores }).outputTensor;
    const sum = graph.add({ type: 'elementWiseAdd', aTensor: weighted.reshape(size), bTensor: x }).outputTensor;
    const positive = graph.add({ type: 'activationRelu', inputTensor: sum }).outputTensor;
    x = graph.add({ type: 'activationTanh', inputTensor: positive }).outputTensor;
  }
  return graph.compile({ output: x });
}

/** @returns {Promise<Compared>} */
export async function compareCompiling(/** @type {Device} */ device, /** @type {import('./rounds.mjs').Effort} */ effort) {
  const context = await ml.createContext(device);
  let [ours, theirs] = [await buildByWebNN(context), await buildByGraph(device)];
  const turns = await takeTurns(
    { ...effort, limit: 1.5, share: 3 },
    () =>
      timed(async () => {
        ours.destroy();
        ours = await buildByWebNN(context);
      }),
    () =>
      timed(async () => {
        theirs.dispose();
        theirs = await buildByGraph(device);
      }),
  );
  return { ours: 'WebNN', theirs: 'createGraph', equal: true, ...turns };
}

/**
 * Both sides share the device and wait with its `idle`, because in WebNN only readTensor waits for dispatches.
 * @returns {Promise<Compared>}
 */
export async function compareDispatches(/** @type {Device} */ device, /** @type {import('./rounds.mjs').Effort} */ effort) {
  const context = await ml.createContext(device);
  const [ours, theirs] = [await buildByWebNN(context), await buildByGraph(device)];
  const desc = { dataType: float, shape: [...size] };
  const [input, output] = [
    await context.createTensor({ ...desc, writable: true }),
    await context.createTensor({ ...desc, readable: true }),
  ];
  context.writeTensor(input, inputData);
  const tensors = {
    input: device.createTensor({ dataType: float, sizes: size }, inputData),
    output: device.createTensor({ dataType: float, sizes: size }),
  };
  await device.idle();
  const turns = await takeTurns(
    { ...effort, limit: 1.1 },
    () =>
      timed(async () => {
        for (let i = 0; i < graphDispatches; i++) context.dispatch(ours, { input }, { output });
        await device.idle();
      }),
    () =>
      timed(async () => {
        for (let i = 0; i < graphDispatches; i++) theirs.dispatch(tensors);
        await device.idle();
      }),
  );
  const equal = hashOf(new Float32Array(await context.readTensor(output))) === hashOf(await tensors.output.read());
  return { ours: 'WebNN', theirs: 'createGraph', equal, ...turns };
}
