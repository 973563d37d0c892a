// @ts-check
// The benchmark's rows about sessions of `node-directml/onnxruntime`, and the same graphs built and dispatched with WebNN by hand.
import onnxProto from 'onnx-proto';
import { createDevice } from 'node-directml';
import { InferenceSession, Tensor } from 'node-directml/onnxruntime';
import { MLGraphBuilder, ml } from 'node-directml/webnn';
import { hashOf, weightData } from './data.mjs';
import { takeTurns, timed } from './rounds.mjs';

/** @typedef {import('node-directml').Device} Device */
/** @typedef {import('node-directml/webnn').MLContext} MLContext */
/** @typedef {import('./rounds.mjs').Compared} Compared */
/** @typedef {import('./rounds.mjs').Effort} Effort */

/** Each layer has 1 MiB of weights. */
const layers = 12;
const width = 512;
const rows = 64;
const float = /** @type {const} */ ('float32');
const megabyte = 2 ** 20;

const weights = Array.from({ length: layers }, (_, i) => weightData(width * width, i));
const inputOf = (/** @type {number} */ rows) => weightData(rows * width, layers);

/** Layers of a matrix product and relu, whose number of rows is dynamic. */
function model() {
  const { onnx } = onnxProto;
  const elemType = onnx.TensorProto.DataType.FLOAT;
  const node = weights.flatMap((_, i) => [
    { opType: 'MatMul', input: [`x${i}`, `w${i}`], output: [`p${i}`] },
    { opType: 'Relu', input: [`p${i}`], output: [`x${i + 1}`] },
  ]);
  const initializer = weights.map((data, i) => {
    const rawData = new Uint8Array(data.buffer);
    return { name: `w${i}`, dataType: elemType, dims: [width, width], rawData };
  });
  const value = (/** @type {string} */ name) => ({
    name,
    type: { tensorType: { elemType, shape: { dim: [{ dimParam: 'rows' }, { dimValue: width }] } } },
  });
  const graph = { name: 'layers', node, initializer, input: [value('x0')], output: [value(`x${layers}`)] };
  return onnx.ModelProto.encode({ irVersion: 8, opsetImport: [{ domain: '', version: 17 }], graph }).finish();
}

/** Returns a function that runs the model with these rows of input, and returns the output. */
async function sessionOn(/** @type {InferenceSession.SessionOptions} */ options) {
  const session = await InferenceSession.create(model(), { fallback: 'error', ...options });
  const run = async (/** @type {number} */ rows) => {
    const outputs = await session.run({ x0: new Tensor(float, inputOf(rows), [rows, width]) });
    const output = outputs[`x${layers}`]?.data;
    if (!(output instanceof Float32Array)) throw new Error('the model has an output of floats');
    return output;
  };
  return { session, run };
}

/** The same graph, built by hand. `run` copies the input to the device, and the output back. */
async function graphOn(/** @type {MLContext} */ context, /** @type {number} */ rows) {
  const builder = new MLGraphBuilder(context);
  const desc = { dataType: float, shape: [rows, width] };
  let x = builder.input('x', desc);
  for (const data of weights)
    x = builder.relu(builder.matmul(x, builder.constant({ dataType: float, shape: [width, width] }, data)));
  const graph = await builder.build({ y: x });
  const input = await context.createTensor({ ...desc, writable: true });
  const output = await context.createTensor({ ...desc, readable: true });
  const run = async () => {
    context.writeTensor(input, inputOf(rows));
    context.dispatch(graph, { x: input }, { y: output });
    return new Float32Array(await context.readTensor(output));
  };
  const destroy = () => [graph, input, output].forEach((each) => each.destroy());
  return { run, destroy };
}

/** @returns {Promise<Compared>} */
export async function compareSessionRuns(/** @type {Device} */ device, /** @type {Effort} */ effort) {
  const context = await ml.createContext(device);
  const { session, run } = await sessionOn({ context });
  const graph = await graphOn(context, rows);
  const turns = await takeTurns(
    { ...effort, limit: 1.1 },
    () => timed(() => run(rows)),
    () => timed(graph.run),
  );
  const equal = hashOf(await run(rows)) === hashOf(await graph.run());
  await session.release();
  context.destroy();
  return { ours: 'session', theirs: 'WebNN', equal, ...turns };
}

/**
 * Both sides make a graph for other sizes and run it once. A graph of the sizes before keeps the weights in memory.
 * @returns {Promise<Compared>}
 */
export async function compareNewSizes(/** @type {Device} */ device, /** @type {Effort} */ effort) {
  const context = await ml.createContext(device);
  const { session, run } = await sessionOn({ context, maxGraphs: 2 });
  let ourRows = rows;
  let graph = await graphOn(context, rows);
  // With two graphs, a third size is always new.
  const next = () => (ourRows = rows + ((ourRows - rows + 1) % 3));
  const turns = await takeTurns(
    { ...effort, limit: null },
    () => timed(() => run(next())),
    () =>
      timed(async () => {
        const before = graph;
        graph = await graphOn(context, rows);
        await graph.run();
        before.destroy();
      }),
  );
  const equal = hashOf(await run(rows)) === hashOf(await graph.run());
  await session.release();
  context.destroy();
  return { ours: 'session', theirs: 'WebNN', equal, ...turns };
}

/**
 * Measures how much the device's memory grows when a session makes a graph for a second size. The weights have 12 MiB.
 * @returns {Promise<Omit<import('./verdict.mjs').Measurement, 'name'>>}
 */
export async function measureSecondSize() {
  const device = await createDevice({ backend: 'directml' });
  const held = () => (device.memory().buffers + device.memory().persistent) / megabyte;
  const { session, run } = await sessionOn({ device });
  await run(rows);
  const before = held();
  const second = await run(rows + 1);
  const grown = held() - before;
  await session.release();
  device.dispose();
  const equal = before >= layers && second.length === (rows + 1) * width;
  return { ours: 'grown', unit: 'MiB', values: [[grown]], seconds: 0, control: null, limit: 1, equal };
}
