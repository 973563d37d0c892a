// @ts-check
// Compares the reference backend with TensorFlow.js's CPU backend, which is pure JavaScript, on the same data. If a contest has an
// ONNX node, two more rows are shown: the backend against onnxruntime's CPU provider, which is C++ on all processors, and the
// backend in a worker, which also multiplies on all processors, against the backend on one thread.
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-cpu';
import { createDevice } from 'node-directml';
import { contests } from './contests.mjs';
import { prepareNode } from './onnx-node.mjs';
import { selected, takeTurns, timed } from './rounds.mjs';

/** @typedef {import('./contests.mjs').Contest} Contest */

/**
 * Runs the contests in whose names the text occurs.
 * @returns {Promise<import('./verdict.mjs').Comparison[]>}
 */
export async function compareWithTensorFlow(/** @type {import('./rounds.mjs').Effort} */ effort, /** @type {string} */ only) {
  await tf.setBackend('cpu');
  const device = await createDevice({ backend: 'reference', thread: 'caller' });
  const comparisons = [];
  for (const contest of selected(contests(), only)) comparisons.push(...(await runContest(device, contest, effort)));
  device.dispose();
  return comparisons;
}

/**
 * Our side writes to an existing tensor. TensorFlow.js always allocates its output.
 * @returns {Promise<import('./verdict.mjs').Comparison[]>}
 */
async function runContest(
  /** @type {import('node-directml').Device} */ device,
  /** @type {Contest} */ contest,
  /** @type {import('./rounds.mjs').Effort} */ effort,
) {
  const { name, limit, share = 1, theirs, arranged } = contest;
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${name}`);
  const { dispatch, read } = await prepare(device, contest);
  /** @type {tf.Tensor | null} */
  let result = null;
  const turns = await takeTurns({ ...effort, limit, share }, dispatch, () => {
    result?.dispose();
    return timed(() => {
      result = theirs();
      result.dataSync();
    });
  });
  const expected = Float32Array.from(/** @type {tf.Tensor} */ (/** @type {unknown} */ (result)).dataSync());
  const equal = agree(await read(), arranged === undefined ? expected : arranged(expected));
  const common = { name, ours: 'reference' };
  /** @type {import('./verdict.mjs').Comparison[]} */
  const comparisons = [{ ...common, theirs: 'TensorFlow.js', equal, ...turns }];
  if (contest.node !== undefined) {
    const node = await prepareNode(contest.node, contest.descriptor, contest.inputs);
    const nodeTurns = await takeTurns({ ...effort, limit: null, share }, dispatch, () => timed(node.run));
    const nodeEqual = agree(await read(), node.output());
    comparisons.push({ ...common, theirs: 'onnxruntime CPU', equal: nodeEqual, ...nodeTurns });
    await node.release();
    comparisons.push(await compareThreads(contest, { dispatch, read }, effort));
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  return comparisons;
}

/**
 * Compares a worker and its helpers with the calling thread. The row has no limit, because it depends on the processors.
 * @returns {Promise<import('./verdict.mjs').Comparison>}
 */
async function compareThreads(
  /** @type {Contest} */ contest,
  /** @type {Awaited<ReturnType<typeof prepare>>} */ caller,
  /** @type {import('./rounds.mjs').Effort} */ effort,
) {
  const device = await createDevice({ backend: 'reference', thread: 'worker' });
  const worker = await prepare(device, contest);
  const turns = await takeTurns({ ...effort, limit: null, share: contest.share ?? 1 }, worker.dispatch, caller.dispatch);
  const [a, b] = [await worker.read(), await caller.read()];
  const equal = a.every((value, i) => value === b[i]);
  device.dispose();
  return { name: contest.name, ours: 'worker', theirs: 'caller', equal, ...turns };
}

/** Prepares our side of a contest. `dispatch` runs it and returns its time, `read` returns its output. */
async function prepare(
  /** @type {import('node-directml').Device} */ device,
  /** @type {Contest} */ { name, descriptor, inputs },
) {
  const operator = await device.compile(descriptor);
  const described = /** @type {Record<string, import('node-directml').TensorDesc>} */ (/** @type {unknown} */ (descriptor));
  const { outputTensor: outputDesc } = described;
  if (outputDesc === undefined) throw new TypeError(`${name} has no output`);
  const output = device.createTensor(outputDesc);
  /** @type {Record<string, import('node-directml').Tensor>} */
  const bindings = { outputTensor: output };
  for (const [field, data] of Object.entries(inputs)) {
    const desc = described[field];
    if (desc === undefined) throw new TypeError(`${name} has no ${field}`);
    const tensor = device.createTensor(desc);
    tensor.write(/** @type {ArrayBuffer} */ (data.buffer));
    bindings[field] = tensor;
  }
  const dispatch = () =>
    timed(async () => {
      operator.dispatch(bindings);
      await device.idle();
    });
  const read = async () => new Float32Array((await output.buffer.read()).slice(0, sizeOf(outputDesc)));
  return { dispatch, read };
}

function sizeOf(/** @type {import('node-directml').TensorDesc} */ { sizes }) {
  return sizes.reduce((product, size) => product * size, 4);
}

/** True if the results agree within 1e-4, relative above 1. TensorFlow.js adds in float32 and in another order. */
function agree(/** @type {Float32Array} */ a, /** @type {Float32Array} */ b) {
  return a.length === b.length && a.every((value, i) => Math.abs(value - (b[i] ?? NaN)) <= 1e-4 * Math.max(1, Math.abs(value)));
}
