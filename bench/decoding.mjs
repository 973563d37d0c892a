// @ts-check
// The benchmark's rows about a language model that generates tokens, with the decoder of examples/generate.
import { createHook } from 'node:async_hooks';
import { createDevice } from 'node-directml';
import { createDecoder } from '../examples/generate/decoder.mjs';
import { startProgram } from './cpp-program.mjs';
import { weightData } from './data.mjs';
import { gateOf } from './gate.mjs';
import { measureValues } from './rounds.mjs';

/** @typedef {import('node-directml').Device} Device */
/** @typedef {import('./rounds.mjs').Work} Work */

const count = 20;
const [width, heads, keyValueHeads, headSize, hidden, vocabulary] = [64, 4, 2, 16, 128, 256];

/** The same model as in bench/native/decoder.cpp. */
function modelOn(/** @type {Device} */ device) {
  let seed = 0;
  const matrix = (/** @type {number} */ rows, /** @type {number} */ columns) =>
    device.createTensor({ dataType: 'float32', sizes: [rows, columns] }, weightData(rows * columns, seed++));
  const layer = () => ({
    inputNorm: matrix(1, width),
    query: matrix(width, width),
    key: matrix(keyValueHeads * headSize, width),
    value: matrix(keyValueHeads * headSize, width),
    output: matrix(width, width),
    middleNorm: matrix(1, width),
    gate: matrix(hidden, width),
    up: matrix(hidden, width),
    down: matrix(width, hidden),
  });
  return {
    config: {
      ...{ vocabulary, width, layers: 2, heads, keyValueHeads, headSize, context: 256 },
      ...{ epsilon: 1e-5, theta: 10_000, scaling: null, tied: false, stop: [] },
    },
    dataType: /** @type {const} */ ('float32'),
    layers: [layer(), layer()],
    embeddings: matrix(vocabulary, width),
    norm: matrix(1, width),
    head: matrix(vocabulary, width),
  };
}

/** Generates 20 tokens, each of which is read before the next. Every run begins with the same token and an empty cache. */
export async function decodingWork(/** @type {Device} */ device) {
  const decoder = await createDecoder(device, modelOn(device));
  /** @type {number[]} */
  const tokens = [];
  const first = Float32Array.from({ length: vocabulary }, (_, i) => (i === 1 ? 1 : 0));
  await device.idle();
  /** @type {Work} */
  const work = {
    async run() {
      tokens.length = 0;
      decoder.clear();
      decoder.logits.write(first);
      for (let i = 0; i < count; i++) tokens.push(await decoder.next());
    },
    async result() {
      const logits = await decoder.logits.read();
      return Uint32Array.from([...tokens, ...new Uint32Array(logits.buffer, logits.byteOffset, logits.length)]);
    },
  };
  return work;
}

/**
 * Measures how much longer the JavaScript thread works for a token than C++ submits one. JavaScript's time is from the call until
 * the promise is returned, and from the moment at which the device calls back until the token is there; the time in between is the
 * device's. The device is held back until the call has returned. After its work in software, the core's caches hold nothing of
 * either program's, so two tokens before it are not counted, and C++ submits a small list before.
 * @returns {Promise<Omit<import('./verdict.mjs').Measurement, 'name'>>}
 */
export async function measureDecoding(/** @type {import('./rounds.mjs').Effort} */ effort) {
  let callback = 0;
  let woken = NaN;
  const hook = createHook({
    init(id, type) {
      // The device of the gate is made later.
      if (type === 'node-directml device') callback ||= id;
    },
    before(id) {
      if (id === callback) woken = performance.now();
    },
  });
  hook.enable();
  const device = await createDevice({ backend: 'directml' });
  const gate = await gateOf(device);
  const cpp = await startProgram(device.info);
  const decoder = await createDecoder(device, modelOn(device));
  const thirdToken = async () => {
    await device.idle();
    if (decoder.length + 3 > decoder.context) decoder.clear();
    gate.hold();
    const earlier = [decoder.next(), decoder.next()];
    const called = performance.now();
    const token = decoder.next();
    const returned = performance.now();
    gate.open();
    await Promise.all(earlier);
    await token;
    const settled = performance.now();
    if (!(woken > returned)) throw new Error('the device has not called back');
    return returned - called + settled - woken;
  };
  const row = /** @type {const} */ ({ ours: 'more', unit: 'ms', limit: 0.15 });
  const measured = await measureValues(row, { ...effort, share: 8 }, thirdToken, { name: 'C++', value: () => cpp.time('token') });
  hook.disable();
  await cpp.end();
  gate.dispose();
  device.dispose();
  return measured;
}
