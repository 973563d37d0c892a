/**
 * `node executions.mjs`: a slow GPU executes many command lists at once, while the objects that they use are disposed of and
 * recorded again. Writes one line of JSON: the wrong results, and the outcomes of calls that were made to fail.
 */
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDevice } from 'node-directml';

/** @typedef {import('node-directml').Tensor<'float32'>} Tensor */

const notes = process.env.NODE_DIRECTML_BRIDGE_EXECUTION;
const device = await createDevice({ backend: 'directml' });
/** @type {string[]} */
const wrong = [];
/** Reads that nobody has waited for. @type {Promise<void>[]} */
const pending = [];

const float32 = (/** @type {number} */ size) => /** @type {const} */ ({ dataType: 'float32', sizes: [1, size] });

function expectValue(/** @type {string} */ what, /** @type {Tensor} */ tensor, /** @type {number} */ expected) {
  const check = async () => {
    const values = await tensor.read();
    const found = values.find((value) => value !== expected);
    if (found !== undefined) wrong.push(`${what}: ${found} for ${expected}`);
  };
  pending.push(check());
}

async function settled() {
  await Promise.all(pending.splice(0));
}

/** Adds 1. The element count is not a multiple of 4, because the sandbox replaces DirectML's shader for those. */
const increment = (/** @type {number} */ size) =>
  device.compile({
    type: 'elementWiseIdentity',
    inputTensor: float32(size),
    outputTensor: float32(size),
    scaleBias: { scale: 1, bias: 1 },
  });

const add = await increment(6);
const tensor = (/** @type {number} */ value, size = 6) => device.createTensor(float32(size), new Float32Array(size).fill(value));

async function replays() {
  const x = tensor(0);
  const recording = device.record(() => {
    for (let i = 0; i < 3; i++) add.dispatch({ inputTensor: x, outputTensor: x });
  });
  for (let i = 0; i < 12; i++) recording.replay();
  expectValue('replays', x, 36);
  // They are still in flight.
  recording.dispose();
  x.dispose();
  await settled();
}

/** Operators, tensors and recordings are disposed of before the GPU begins with them. */
async function disposals() {
  for (let i = 0; i < 12; i++) {
    const own = await increment(6 + (i % 3));
    const [a, b] = [tensor(i, 6 + (i % 3)), tensor(-1, 6 + (i % 3))];
    own.dispatch({ inputTensor: a, outputTensor: b });
    expectValue('disposals', b, i + 1);
    for (const each of [own, a, b]) each.dispose();
  }
  await settled();
}

/** Fills descriptor heaps again and again with different bindings, with lists in flight. */
async function heaps() {
  const tensors = Array.from({ length: 100 }, (_, i) => tensor(i));
  // Each list uses this binding, whose descriptors are at the beginning of a heap.
  const [first, second] = [tensor(0), tensor(0)];
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 1000; i++) {
      const from = (i * 7 + round) % 100;
      const to = (from + 1 + Math.floor(i / 100) + 10 * round) % 100;
      add.dispatch({ inputTensor: at(tensors, from), outputTensor: at(tensors, to) });
      if (i % 25 !== 0) continue;
      add.dispatch({ inputTensor: first, outputTensor: second });
      device.submit();
    }
    // Round 1 ends with a pause, in which full heaps are emptied. In the other rounds, released heaps are reused.
    if (round === 1) await device.idle();
  }
  for (const each of tensors) each.write(new Float32Array(6).fill(5));
  expectValue('heaps', at(tensors, 42), 5);
  for (const each of [first, second, ...tensors]) each.dispose();
  await settled();
}

/** Recordings keep their descriptors, whatever else is dispatched between their replays. */
async function recordings() {
  const tensors = Array.from({ length: 60 }, () => tensor(0));
  const recorded = Array.from({ length: 6 }, (_, f) =>
    device.record(() => {
      for (const each of tensors.slice(10 * f, 10 * f + 10)) add.dispatch({ inputTensor: each, outputTensor: each });
    }),
  );
  for (let round = 0; round < 4; round++) {
    for (const recording of recorded) {
      recording.replay();
      for (const each of tensors) add.dispatch({ inputTensor: each, outputTensor: each });
    }
  }
  for (const each of tensors) expectValue('recordings', each, 4 + 24);
  for (const each of [...recorded, ...tensors]) each.dispose();
  await settled();
}

/** A graph that needs more descriptors than a heap usually has. */
async function large() {
  const graph = device.createGraph();
  const x = graph.input('x', float32(6));
  /** @type {Record<string, import('node-directml').Value<'float32'>>} */
  const outputs = {};
  for (let i = 0; i < 400; i++) {
    outputs[`y${i}`] = graph.add({ type: 'elementWiseIdentity', inputTensor: x, scaleBias: { scale: 1, bias: i } }).outputTensor;
  }
  const net = await graph.compile(outputs);
  const results = net.createOutputs();
  const last = /** @type {Tensor} */ (results.y399);
  // A few of these dispatches fill a heap. The first heaps are reused before the last dispatches.
  for (let i = 0; i < 40; i++) {
    const input = tensor(i);
    net.dispatch({ x: input, ...results });
    expectValue('large', last, i + 399);
    input.dispose();
  }
  for (const each of [net, ...Object.values(results)]) each.dispose();
  await settled();
}

/** Uploads of several sizes reuse memory. */
async function uploads() {
  const sizes = [6, 1000, 70_000, 300_001];
  for (let i = 0; i < 40; i++) {
    const x = tensor(i, sizes[i % 4]);
    expectValue('uploads', x, i);
    x.dispose();
  }
  await settled();
}

/** Reads fill the ring of staging memory several times. */
async function reads() {
  for (let i = 0; i < 8; i++) {
    const x = tensor(i, 2_300_001);
    expectValue('reads', x, i);
    x.dispose();
  }
  await settled();
}

/** The next use of a native call fails for want of memory; see sandbox/bridge/execution.cpp. */
function failNext(/** @type {string} */ call) {
  process.env.NODE_DIRECTML_BRIDGE_FAIL = call;
}

/** The code of the error of `work`, or "done". */
function outcome(/** @type {() => void} */ work) {
  try {
    work();
    return 'done';
  } catch (error) {
    return /** @type {{ code: string }} */ (error).code;
  }
}

/** Replays add 1, and so does a dispatch before. */
async function failures() {
  await pause();
  const x = tensor(0);
  const dispatch = () => add.dispatch({ inputTensor: x, outputTensor: x });
  const replayFailing = async (/** @type {string} */ call) => {
    const recording = device.record(dispatch);
    await device.idle();
    x.write(new Float32Array(6));
    await device.idle();
    dispatch();
    failNext(call);
    const seen = outcome(() => recording.replay());
    if (process.env.NODE_DIRECTML_BRIDGE_FAIL !== undefined) wrong.push(`${call} did not fail`);
    const [value] = await x.read();
    recording.dispose();
    return [seen, value];
  };
  const seen = {
    signal: await replayFailing('signal'),
    close: await replayFailing('close'),
    heap: await replayFailing('heap'),
  };
  x.dispose();
  return seen;
}

/** A dispatch that fails keeps no buffer alive. */
async function failedDispatch() {
  await pause();
  mark();
  const tensors = Array.from({ length: 60 }, () => tensor(0));
  failNext('heap');
  let failed = 'done';
  // More bindings than a heap has descriptors.
  for (let i = 0; i < 3600 && failed === 'done'; i++) {
    const [inputTensor, outputTensor] = [at(tensors, i % 60), at(tensors, Math.floor(i / 60))];
    if (inputTensor !== outputTensor) failed = outcome(() => add.dispatch({ inputTensor, outputTensor }));
  }
  for (const each of tensors) each.dispose();
  await pause();
  mark();
  return failed;
}

/** Waits until the pools have freed their heaps, so that the next heap has to be created, and the memory of disposed buffers. */
async function pause() {
  await sleep(2500);
  await device.idle();
}

function mark() {
  if (notes !== undefined) appendFileSync(notes, '0 mark\n');
}

/**
 * @template T
 * @param {readonly T[]} list
 * @param {number} index
 * @returns {T}
 */
function at(list, index) {
  const element = list[index];
  if (element === undefined) throw new RangeError(`nothing at ${index}`);
  return element;
}

for (const part of [replays, disposals, heaps, recordings, large, uploads, reads]) await part();
const seen = notes === undefined ? null : { ...(await failures()), dispatch: await failedDispatch() };
device.dispose();
console.log(JSON.stringify({ wrong, seen }));
