// Runs a decoder of the Llama family: a cache of keys and values that stays on the device, and a recording that is replayed for
// each token.
import { Tensor } from 'node-directml';
import { cast, elementWiseAdd } from 'node-directml/operators';
import { feedForward, linear, project, rmsNorm, rotationAt, rowsOf } from './blocks.mjs';
import { rotationTables } from './rotation.mjs';
import { createSampler } from './sampling.mjs';

/** @typedef {import('node-directml').Device} Device */
/** @typedef {import('node-directml').Value} Value */
/** @typedef {import('./model.mjs').Model} Model */
/**
 * @typedef {import('./sampling.mjs').Sampling & { context?: number | undefined }} DecoderOptions
 * The context is the largest number of tokens, prompts included. Default: what the model was made for, at most 2048
 */

/** A prompt runs in parts of these numbers of tokens, each of which is compiled once. The last part is padded. */
const buckets = [1, 16, 64, 256];

/** @param {Device} device @param {Model} model @param {DecoderOptions} [options] */
export async function createDecoder(device, model, { context = Math.min(model.config.context, 2048), ...sampling } = {}) {
  const { config, dataType, layers } = model;
  const { heads: queryHeadCount, keyValueHeads: keyValueHeadCount, headSize } = config;
  const tables = rotationTables(device, dataType, config, context);
  const int32 = /** @type {const} */ ({ dataType: 'int32', sizes: [1] });
  const one = device.createTensor(int32, [1]);
  /** How many tokens are in the cache. */
  const length = device.createTensor(int32, [0]);
  const caches = layers.map(() => {
    const sizes = [1, keyValueHeadCount, context, headSize];
    return { keys: device.createTensor({ dataType, sizes }), values: device.createTensor({ dataType, sizes }) };
  });
  const logits = device.createTensor({ dataType: 'float32', sizes: [1, config.vocabulary] });
  const token = device.createTensor({ dataType: 'uint32', sizes: [1, 1] });

  // Three functions make all graphs: weights are inputs, so that one graph serves all layers.
  const begin = device.jit((/** @type {BeginInputs} */ { tokens, offsets, length, embeddings, tables, weights }) => {
    const x = rowsOf(embeddings, tokens);
    const rotation = rotationAt(tables, length, offsets);
    return { x, rotation, ...project(x, weights, rotation, config) };
  });
  const between = device.jit((/** @type {BetweenInputs} */ { x, attended, rotation, weights, next }) => {
    const y = feedForward(x, attended, weights, config);
    return { x: y, ...project(y, next, rotation, config) };
  });
  const end = device.jit((/** @type {EndInputs} */ { x, attended, count, weights, norm, head }) => {
    const last = rowsOf(feedForward(x, attended, weights, config), elementWiseAdd(count.reshape([1, 1]), -1));
    return cast(linear(rmsNorm(last, norm, config.epsilon), head), { outputTensor: { dataType: 'float32' } });
  });

  /**
   * Compiles what runs `tokens` through all layers, and returns the function that dispatches it. Of the tokens, `count` are real.
   * @param {Tensor} tokens @param {Tensor} count
   */
  async function forward(tokens, count) {
    const [, size = 0] = tokens.sizes;
    const offsets = device.createTensor(
      { dataType: 'int32', sizes: [1, size] },
      Int32Array.from({ length: size }, (_, i) => i),
    );
    const tensor = (/** @type {number} */ width) => device.createTensor({ dataType, sizes: [1, size, width] });
    const states = [0, 1].map(() => device.createTensor({ dataType, sizes: [size, config.width] }));
    const attended = tensor(queryHeadCount * headSize);
    const projected = {
      query: tensor(queryHeadCount * headSize),
      key: tensor(keyValueHeadCount * headSize),
      value: tensor(keyValueHeadCount * headSize),
    };
    const rotation = {
      cos: device.createTensor({ dataType, sizes: [size, headSize / 2] }),
      sin: device.createTensor({ dataType, sizes: [size, headSize] }),
    };

    /** @type {(() => void)[]} */
    const dispatches = [];
    const add = async (/** @type {Traced} */ traced, /** @type {Tensors} */ inputs, /** @type {Tensors} */ outputs) => {
      const graph = await traced.compile(inputs);
      const bindings = { ...named('args[0]', inputs), ...named('result', outputs) };
      dispatches.push(() => graph.dispatch(bindings));
    };
    const state = (/** @type {number} */ layer) => /** @type {Tensor} */ (states[layer % 2]);

    const [first] = layers;
    if (first === undefined) throw new Error('the model has no layers');
    const beginning = { tokens, offsets, length, embeddings: model.embeddings, tables, weights: attentionOf(first) };
    await add(begin, beginning, { x: state(0), rotation, ...projected });
    for (const [i, layer] of layers.entries()) {
      const cache = /** @type {{ keys: Tensor, values: Tensor }} */ (caches[i]);
      // The cache is written in place, which a graph never does: so this operator is not part of one.
      const attention = await device.prepare({
        type: 'multiheadAttention1',
        queryTensor: projected.query,
        keyTensor: projected.key,
        valueTensor: projected.value,
        pastSequenceLengthsTensor: length,
        outputTensor: attended,
        outputPresentKeyTensor: cache.keys,
        outputPresentValueTensor: cache.values,
        queryHeadCount,
        keyValueHeadCount,
      });
      dispatches.push(() => attention.dispatch());
      const inputs = { x: state(i), attended, weights: feedForwardOf(layer) };
      const next = layers[i + 1];
      if (next) await add(between, { ...inputs, rotation, next: attentionOf(next) }, { x: state(i + 1), ...projected });
      else await add(end, { ...inputs, count, norm: model.norm, head: model.head }, logits);
    }
    const advance = await device.prepare({ type: 'elementWiseAdd', aTensor: length, bTensor: count, outputTensor: length });
    dispatches.push(() => advance.dispatch());
    return () => dispatches.forEach((dispatch) => dispatch());
  }

  const choose = await createSampler(device, logits, token, sampling);
  const run = await forward(token, one);
  const step = device.record(() => {
    choose();
    run();
  });

  /** @type {Map<number, Promise<{ tokens: Tensor, count: Tensor, recording: import('node-directml').Recording }>>} */
  const parts = new Map();
  const compilePart = async (/** @type {number} */ size) => {
    const tokens = device.createTensor({ dataType: 'uint32', sizes: [1, size] });
    const count = device.createTensor(int32);
    return { tokens, count, recording: device.record(await forward(tokens, count)) };
  };
  /** What runs `size` tokens of a prompt. */
  const partOf = (/** @type {number} */ size) => {
    const part = parts.get(size) ?? compilePart(size);
    parts.set(size, part);
    return part;
  };

  let used = 0;
  return {
    context,
    /** The sizes of parts of prompts that are compiled. */
    buckets: /** @type {readonly number[]} */ (buckets.filter((size) => size <= context)),
    /** The scores of all tokens for the place after the last one, float32 [1, vocabulary]. */
    logits,
    /** How many tokens are in the cache. */
    get length() {
      return used;
    },
    /** Compiles a part ahead of its first use. */
    async prepare(/** @type {number} */ size) {
      await partOf(size);
    },
    /** Adds a text to the cache, after what is there. */
    async prefill(/** @type {readonly number[]} */ ids) {
      if (used + ids.length > context) throw new Error(`${used + ids.length} tokens are more than the context of ${context}`);
      for (let done = 0; done < ids.length;) {
        const size = partSize(ids.length - done, context - used);
        const part = await partOf(size);
        const some = ids.slice(done, done + size);
        part.tokens.write([...some, ...new Array(size - some.length).fill(0)]);
        part.count.write([some.length]);
        part.recording.replay();
        done += some.length;
        used += some.length;
      }
    },
    /** Chooses the next token, adds it to the cache, and returns it. Does not wait before the device has work for it. */
    async next(/** @type {AbortSignal | undefined} */ signal) {
      if (used === context) throw new Error(`the context of ${context} tokens is full`);
      step.replay();
      used++;
      const [id = 0] = await token.read({ signal });
      return id;
    },
    /** Forgets all tokens. */
    clear() {
      length.write([0]);
      used = 0;
    },
  };
}

/** The smallest part that holds the rest, if there is room for its padding; otherwise the largest that is full. */
function partSize(/** @type {number} */ rest, /** @type {number} */ room) {
  return buckets.find((size) => size >= rest && size <= room) ?? buckets.findLast((size) => size <= Math.min(rest, room)) ?? 1;
}

/** The tensors in objects, by the names that jit gives them. @param {string} path @param {Tensors} tensors @returns {Record<string, Tensor>} */
function named(path, tensors) {
  if (tensors instanceof Tensor) return { [path]: tensors };
  return Object.assign({}, ...Object.entries(tensors).map(([name, part]) => named(`${path}.${name}`, part)));
}

/** @typedef {Model['layers'][number]} Layer */
const attentionOf = (/** @type {Layer} */ { inputNorm, query, key, value }) => ({ inputNorm, query, key, value });
const feedForwardOf = (/** @type {Layer} */ { output, middleNorm, gate, up, down }) => ({ output, middleNorm, gate, up, down });

/** @typedef {Tensor | { [name: string]: Tensors }} Tensors */
/** @typedef {{ compile: (inputs: any) => Promise<import('node-directml').CompiledGraph> }} Traced */
/** @typedef {import('./blocks.mjs').Rotation} Rotation */
/** @typedef {import('./blocks.mjs').AttentionWeights} AttentionWeights */
/** @typedef {import('./blocks.mjs').FeedForwardWeights} FeedForwardWeights */
/** @typedef {{ tokens: Value, offsets: Value, length: Value, embeddings: Value, tables: Rotation, weights: AttentionWeights }} BeginInputs */
/** @typedef {{ x: Value, attended: Value, rotation: Rotation, weights: FeedForwardWeights, next: AttentionWeights }} BetweenInputs */
/** @typedef {{ x: Value, attended: Value, count: Value, weights: FeedForwardWeights, norm: Value, head: Value }} EndInputs */
