// Computes one layer of a transformer's encoder as one graph: self-attention and a feed-forward network, each with a residual
// connection around it and a normalization after it. Sentences of different lengths are padded; a mask hides the padding.
import {
  activationGelu as gelu,
  elementWiseAdd as add,
  gemm,
  meanVarianceNormalization2 as normalize,
  multiheadAttention1,
} from 'node-directml/operators';

/** @typedef {import('node-directml').Value} Value */

/** @param {import('node-directml').Device} device */
export default async function encoderLayer(device) {
  const [sentences, length, width, heads, hidden] = [2, 8, 32, 4, 64];
  const weights = (/** @type {number} */ rows, /** @type {number} */ columns, /** @type {number} */ seed) => {
    const values = Float32Array.from({ length: rows * columns }, (_, i) => Math.sin(seed * (i + 1)) / Math.sqrt(rows));
    return device.createTensor({ dataType: 'float32', sizes: [rows, columns] }, values);
  };
  const linear = (/** @type {Value} */ input, /** @type {number} */ columns, /** @type {number} */ seed) =>
    gemm(input, weights(input.sizes[1] ?? 0, columns, seed), { cTensor: weights(1, columns, seed + 0.1) });
  const addAndNormalize = (/** @type {Value} */ a, /** @type {Value} */ b, /** @type {number} */ seed) => {
    const [scaleTensor, biasTensor] = [weights(1, width, seed), weights(1, width, seed + 0.1)];
    return normalize(add(a, b), { scaleTensor, biasTensor, axes: [1] });
  };

  // The graph. Weights are tensors, so they become constants of it.
  const encode = device.jit((/** @type {Value} */ tokens, /** @type {Value} */ lengths) => {
    const project = (/** @type {number} */ seed) => linear(tokens, width, seed).reshape([sentences, length, width]);
    const { outputTensor: attended } = multiheadAttention1({
      queryTensor: project(1.3),
      keyTensor: project(2.3),
      valueTensor: project(3.1),
      maskTensor: lengths,
      maskType: 'keySequenceLength',
      queryHeadCount: heads,
    });
    const middle = addAndNormalize(tokens, linear(attended.reshape([sentences * length, width]), width, 4.9), 5.3);
    return addAndNormalize(middle, linear(gelu(linear(middle, hidden, 6.1)), width, 7.7), 8.3);
  });

  // The second sentence has five words.
  const lengths = device.createTensor({ dataType: 'int32', sizes: [1, sentences] }, [8, 5]);
  const encoded = await encode(weights(sentences * length, width, 9.1), lengths);
  return { encoded: await encoded.read() };
}
