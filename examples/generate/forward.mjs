// Compiles what runs tokens through all layers of a decoder.
import { Tensor } from 'node-directml';
import { cast, elementWiseAdd } from 'node-directml/operators';
import { feedForward, linear, project, rmsNorm, rotationAt, rowsOf } from './blocks.mjs';

/** @typedef {import('node-directml').Device} Device */
/** @typedef {import('node-directml').Value} Value */
/** @typedef {import('./blocks.mjs').Rotation} Rotation */
/** @typedef {import('./blocks.mjs').AttentionWeights} AttentionWeights */
/** @typedef {import('./blocks.mjs').FeedForwardWeights} FeedForwardWeights */
/** @typedef {import('./model.mjs').Model} Model */
/** @typedef {Model['layers'][number]} Layer */
/** @typedef {Tensor | { readonly [name: string]: Tensors }} Tensors */
/**
 * What all steps share.
 * @typedef {object} State
 * @property {Tensor} length int32 [1]: how many tokens are in the cache
 * @property {{ cos: Tensor, sin: Tensor }} tables
 * @property {{ keys: Tensor, values: Tensor }[]} caches one for each layer, [1, heads, context, headSize]
 * @property {Tensor} logits float32 [1, vocabulary]: the scores of all tokens for the place after the last one
 */

/**
 * Returns a function that compiles, for tensors of tokens [1, n], what adds them to the cache and computes the logits. Of the n
 * tokens, `count` are real. It resolves to a function that dispatches it.
 * @param {Device} device @param {Model} model @param {State} state
 */
export function createForward(device, model, { length, tables, caches, logits }) {
  const { config, dataType, layers } = model;
  const { heads: queryHeadCount, keyValueHeads: keyValueHeadCount, headSize } = config;
  const { begin, between, end } = jitFunctions(device, config);

  return async (/** @type {Tensor} */ tokens, /** @type {Tensor} */ count) => {
    const [, size = 0] = tokens.sizes;
    const floats = (/** @type {number[]} */ ...sizes) => device.createTensor({ dataType, sizes });
    const offsets = device.createTensor(
      { dataType: 'int32', sizes: [1, size] },
      Int32Array.from({ length: size }, (_, i) => i),
    );
    const rotation = { cos: floats(size, headSize / 2), sin: floats(size, headSize) };
    const projected = {
      query: floats(1, size, queryHeadCount * headSize),
      key: floats(1, size, keyValueHeadCount * headSize),
      value: floats(1, size, keyValueHeadCount * headSize),
    };
    const attended = floats(1, size, queryHeadCount * headSize);
    let [x, y] = [floats(size, config.width), floats(size, config.width)];

    /** @type {(() => void)[]} */
    const dispatches = [];
    const add = async (/** @type {Traced} */ traced, /** @type {Tensors} */ inputs, /** @type {Tensors} */ outputs) => {
      const graph = await traced.compile(inputs);
      const bindings = { ...named('args[0]', inputs), ...named('result', outputs) };
      dispatches.push(() => graph.dispatch(bindings));
    };
    for (const [i, layer] of layers.entries()) {
      const weights = attentionOf(layer);
      const previous = layers[i - 1];
      if (previous === undefined) {
        const inputs = { tokens, offsets, length, embeddings: model.embeddings, tables, weights };
        await add(begin, inputs, { x, rotation, ...projected });
      } else {
        const inputs = { x, attended, rotation, weights: feedForwardOf(previous), next: weights };
        await add(between, inputs, { x: y, ...projected });
        [x, y] = [y, x];
      }
      // This operator writes the cache in place. A graph never does that, so it is not part of one.
      const attention = await device.prepare({
        type: 'multiheadAttention1',
        queryTensor: projected.query,
        keyTensor: projected.key,
        valueTensor: projected.value,
        pastSequenceLengthsTensor: length,
        outputTensor: attended,
        outputPresentKeyTensor: caches[i]?.keys,
        outputPresentValueTensor: caches[i]?.values,
        queryHeadCount,
        keyValueHeadCount,
      });
      dispatches.push(() => attention.dispatch());
    }
    const last = /** @type {Layer} */ (layers.at(-1));
    await add(end, { x, attended, count, weights: feedForwardOf(last), norm: model.norm, head: model.head }, logits);
    const advance = await device.prepare({ type: 'elementWiseAdd', aTensor: length, bTensor: count, outputTensor: length });
    return () => {
      for (const dispatch of dispatches) dispatch();
      advance.dispatch();
    };
  };
}

/** @typedef {{ compile: (inputs: any) => Promise<import('node-directml').CompiledGraph> }} Traced */
/** @typedef {{ tokens: Value, offsets: Value, length: Value, embeddings: Value, tables: Rotation }} BeginInputs */
/** @typedef {{ x: Value, attended: Value, weights: FeedForwardWeights }} LayerInputs */

/**
 * What is computed before the first attention, between two, and after the last one. Weights are inputs, so that all layers have the
 * same graph.
 * @param {Device} device @param {Model['config']} config
 */
function jitFunctions(device, config) {
  const begin = device.jit((/** @type {BeginInputs & { weights: AttentionWeights }} */ inputs) => {
    const x = rowsOf(inputs.embeddings, inputs.tokens);
    const rotation = rotationAt(inputs.tables, inputs.length, inputs.offsets);
    return { x, rotation, ...project(x, inputs.weights, rotation, config) };
  });
  const between = device.jit((/** @type {LayerInputs & { rotation: Rotation, next: AttentionWeights }} */ inputs) => {
    const x = feedForward(inputs.x, inputs.attended, inputs.weights, config);
    return { x, ...project(x, inputs.next, inputs.rotation, config) };
  });
  const end = device.jit((/** @type {LayerInputs & { count: Value, norm: Value, head: Value }} */ inputs) => {
    const x = feedForward(inputs.x, inputs.attended, inputs.weights, config);
    const last = rowsOf(x, elementWiseAdd(inputs.count.reshape([1, 1]), -1));
    return cast(linear(rmsNorm(last, inputs.norm, config.epsilon), inputs.head), { outputTensor: { dataType: 'float32' } });
  });
  return { begin, between, end };
}

/**
 * The tensors in objects, by the names that jit gives them.
 * @param {string} path @param {Tensors} tensors @returns {Record<string, Tensor>}
 */
function named(path, tensors) {
  if (tensors instanceof Tensor) return { [path]: tensors };
  return Object.assign({}, ...Object.entries(tensors).map(([name, part]) => named(`${path}.${name}`, part)));
}

const attentionOf = (/** @type {Layer} */ { inputNorm, query, key, value }) => ({ inputNorm, query, key, value });
const feedForwardOf = (/** @type {Layer} */ { output, middleNorm, gate, up, down }) => ({ output, middleNorm, gate, up, down });
