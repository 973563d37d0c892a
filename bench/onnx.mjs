// @ts-check
// The benchmark's rows about ONNX models: sessions of `node-directml/onnxruntime`, and the same graphs by hand.
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDevice } from 'node-directml';
import { InferenceSession, Tensor } from 'node-directml/onnxruntime';
import { activationRelu as relu, gemm } from 'node-directml/operators';
import { hashOf, weightData } from './data.mjs';
import { readInParts } from './loading.mjs';
import { modelOf, onnx, value } from './onnx-model.mjs';
import { takeTurns, timed } from './rounds.mjs';
import { firstParts } from './verdict.mjs';

/** @typedef {import('node-directml').Device} Device */
/** @typedef {import('./rounds.mjs').Compared} Compared */
/** @typedef {import('./rounds.mjs').Effort} Effort */

/** Each layer has 1 MiB of weights. */
const layers = 12;
const width = 512;
const rows = 64;
const float = /** @type {const} */ ('float32');
const megabyte = 2 ** 20;
/** A file of 500 MiB: weights of 25 MiB. */
const largeWeights = 20;
const largeSize = [2560, 2560];
const largeBytes = largeWeights * 4 * 2560 ** 2;

const elemType = onnx.TensorProto.DataType.FLOAT;
const weights = Array.from({ length: layers }, (_, i) => weightData(width * width, i));
const inputOf = (/** @type {number} */ rows) => weightData(rows * width, layers);

/** Layers of a matrix product and relu, whose number of rows is dynamic. */
function layersModel() {
  const node = weights.flatMap((_, i) => [
    { opType: 'MatMul', input: [`x${i}`, `w${i}`], output: [`p${i}`] },
    { opType: 'Relu', input: [`p${i}`], output: [`x${i + 1}`] },
  ]);
  const initializer = weights.map((data, i) => {
    const rawData = new Uint8Array(data.buffer);
    return { name: `w${i}`, dataType: elemType, dims: [width, width], rawData };
  });
  return modelOf({
    ...{ name: 'layers', node, initializer },
    ...{ input: [value('x0', elemType, 'rows', width)], output: [value(`x${layers}`, elemType, 'rows', width)] },
  });
}

/** Returns a function that runs the model with these rows of input, and returns the output. */
async function sessionOn(/** @type {InferenceSession.SessionOptions} */ options) {
  const session = await InferenceSession.create(layersModel(), { fallback: 'error', ...options });
  const run = async (/** @type {number} */ rows) => {
    const outputs = await session.run({ x0: new Tensor(float, inputOf(rows), [rows, width]) });
    const output = outputs[`x${layers}`]?.data;
    if (!(output instanceof Float32Array)) throw new Error('the model has an output of floats');
    return output;
  };
  return { session, run };
}

/** The same graph, built by hand. `run` copies the input to the device, and the output back. */
async function graphOn(/** @type {Device} */ device, /** @type {readonly import('node-directml').Tensor[]} */ tensors) {
  const network = device.jit((/** @type {import('node-directml').Tensor} */ input) => {
    let x = input;
    for (const weight of tensors) x = /** @type {never} */ (relu(/** @type {never} */ (gemm(x, weight))));
    return x;
  });
  return async (/** @type {number} */ rows) => {
    const x = device.createTensor({ dataType: float, sizes: [1, 1, rows, width] }, inputOf(rows));
    const y = /** @type {import('node-directml').Tensor<'float32'>} */ (await network(x));
    const data = await y.read();
    for (const each of [x, y]) each.dispose();
    return data;
  };
}

/** @returns {Promise<Compared>} */
export async function compareSessionRuns(/** @type {Device} */ device, /** @type {Effort} */ effort) {
  return device.scope(async () => {
    const { session, run } = await sessionOn({ device });
    const tensors = weights.map((data) => device.createTensor({ dataType: float, sizes: [1, 1, width, width] }, data));
    const byHand = await graphOn(device, tensors);
    const turns = await takeTurns(
      { ...effort, limit: 1.05 },
      () => timed(() => run(rows)),
      () => timed(() => byHand(rows)),
    );
    const equal = hashOf(await run(rows)) === hashOf(await byHand(rows));
    await session.release();
    return { ours: 'session', theirs: 'by hand', equal, ...turns };
  });
}

/** A model of one Relu, and a function of `jit`, with their copies. @returns {Promise<Compared>} */
export async function compareSmallRuns(/** @type {Device} */ device, /** @type {Effort} */ effort) {
  const node = [{ opType: 'Relu', input: ['x'], output: ['y'] }];
  const graph = { name: 'relu', node, input: [value('x', elemType, 4)], output: [value('y', elemType, 4)] };
  const session = await InferenceSession.create(modelOf(graph), { device, fallback: 'error' });
  const data = Float32Array.of(1, -2, 3, -4);
  const rectify = device.jit((/** @type {import('node-directml').Tensor} */ x) => relu(x));
  const run = async () => (await session.run({ x: new Tensor(float, data, [4]) }))['y']?.data;
  const byJit = async () => {
    const x = device.createTensor({ dataType: float, sizes: [4] }, data);
    const y = await rectify(x);
    const result = await y.read();
    for (const each of [x, y]) each.dispose();
    return result;
  };
  const repeat = (/** @type {() => Promise<unknown>} */ call) =>
    timed(async () => {
      for (let i = 0; i < 20; i++) await call();
    });
  const turns = await takeTurns(
    { ...effort, limit: 1.1 },
    () => repeat(run),
    () => repeat(byJit),
  );
  const equal = String(await run()) === String(await byJit());
  await session.release();
  return { ours: 'session', theirs: 'jit', equal, ...turns };
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

/** Creating a session of a file, and reading the file into new memory. @returns {Promise<Compared>} */
export async function compareCreating(/** @type {Device} */ device, /** @type {Effort} */ { seconds }) {
  return withLargeModel(async (path) => {
    let isRight = true;
    const create = () =>
      timed(async () => {
        const session = await InferenceSession.create(path, { device, fallback: 'error' });
        await device.idle();
        isRight &&= session.inputNames.length === 1;
        await session.release();
      });
    const read = () =>
      timed(async () => {
        const memory = Buffer.allocUnsafeSlow(largeBytes);
        await readInParts(path, largeBytes, (start) => memory.subarray(start));
      });
    const turns = await takeTurns({ rounds: firstParts, seconds, limit: 2 }, create, read);
    return { ours: 'creating', theirs: 'reading', equal: isRight, ...turns, bytes: null };
  });
}

/**
 * Measures how much more memory the process has while it creates a session, with the weights: the memory of a software GPU is in
 * the process.
 * @returns {Promise<Omit<import('./verdict.mjs').Measurement, 'name'>>}
 */
export async function measureCreating() {
  return withLargeModel(async (path) => {
    const device = await createDevice({ backend: 'directml' });
    const before = process.memoryUsage.rss();
    let most = before;
    const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
    const session = await InferenceSession.create(path, { device, fallback: 'error' });
    await device.idle();
    await sleep(100);
    clearInterval(timer);
    await session.release();
    device.dispose();
    const taken = (most - before) / megabyte;
    const limit = (1.3 * largeBytes) / megabyte;
    return { ours: 'taken', unit: 'MiB', values: [[taken]], seconds: 0, control: null, limit, equal: taken > 0 };
  });
}

/** @template T @param {(path: string) => Promise<T>} work */
async function withLargeModel(work) {
  const folder = await mkdtemp(join(tmpdir(), 'node-directml-'));
  try {
    const path = join(folder, 'large.onnx');
    const file = await open(path, 'w');
    await file.write(onnx.ModelProto.encode({ irVersion: 8, opsetImport: [{ domain: '', version: 17 }] }).finish());
    const rawData = new Uint8Array(largeBytes / largeWeights);
    const partOf = (/** @type {number} */ i) => {
      const node = [{ opType: 'MatMul', input: [`x${i}`, `w${i}`], output: [`x${i + 1}`] }];
      const initializer = [{ name: `w${i}`, dataType: elemType, dims: largeSize, rawData }];
      const input = i === 0 ? [value('x0', elemType, 'rows', 2560)] : [];
      const output = i === largeWeights - 1 ? [value(`x${i + 1}`, elemType, 'rows', 2560)] : [];
      return onnx.GraphProto.encode({ node, initializer, input, output }).finish();
    };
    let length = 0;
    for (let i = 0; i < largeWeights; i++) length += partOf(i).length;
    // The graph is the field 7 of a model, with its length in groups of 7 bits. Its own fields may be in any order.
    const groups = [0, 7, 14, 21, 28].map((shift) => ((length / 2 ** shift) & 127) | (shift < 28 ? 128 : 0));
    await file.write(Uint8Array.of(7 * 8 + 2, ...groups));
    for (let i = 0; i < largeWeights; i++) await file.write(partOf(i));
    await file.close();
    return await work(path);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
