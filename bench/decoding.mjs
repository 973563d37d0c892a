// @ts-check
// The benchmark's rows about a language model that generates tokens, with the decoder of examples/generate.
import { createDecoder } from '../examples/generate/decoder.mjs';
import { weightData } from './data.mjs';

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
