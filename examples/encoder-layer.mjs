// Computes one layer of a transformer's encoder as one graph: self-attention and a feed-forward network, each with a residual
// connection around it and a normalization after it. Sentences of different lengths are padded; a mask hides the padding.
import * as np from 'node-directml/array';
import * as nn from 'node-directml/nn';
import { multiheadAttention1 } from 'node-directml/operators';

/** @typedef {import('node-directml').Value<'float32'>} Value */

/** @param {import('node-directml').Device} device */
export default async function encoderLayer(device) {
  const [sentences, length, width, heads, hidden] = [2, 8, 32, 4, 64];
  const weights = (/** @type {number} */ rows, /** @type {number} */ columns, /** @type {number} */ seed) => {
    const values = Float32Array.from({ length: rows * columns }, (_, i) => Math.sin(seed * (i + 1)) / Math.sqrt(rows));
    return device.tensor(values, { sizes: [rows, columns] });
  };
  const linear = (/** @type {Value} */ input, /** @type {number} */ columns, /** @type {number} */ seed) =>
    np.add(np.matmul(input, weights(input.sizes[1] ?? 0, columns, seed)), weights(1, columns, seed + 0.1));
  const addAndNormalize = (/** @type {Value} */ a, /** @type {Value} */ b, /** @type {number} */ seed) => {
    const normal = nn.layerNorm(np.add(a, b), {});
    return np.add(np.multiply(normal, weights(1, width, seed)), weights(1, width, seed + 0.1));
  };

  // The graph. Weights are tensors, so they become constants of it.
  const encode = device.jit((/** @type {Value} */ tokens, /** @type {import('node-directml').Value<'int32'>} */ lengths) => {
    const project = (/** @type {number} */ seed) => linear(tokens, width, seed).reshape([sentences, length, width]);
    const [queryTensor, keyTensor, valueTensor] = [project(1.3), project(2.3), project(3.1)];
    const mask = /** @type {const} */ ({ maskTensor: lengths, maskType: 'keySequenceLength' });
    const { outputTensor } = multiheadAttention1({ queryTensor, keyTensor, valueTensor, ...mask, queryHeadCount: heads });
    const attended = /** @type {Value} */ (outputTensor.reshape([sentences * length, width]));
    const middle = addAndNormalize(tokens, linear(attended, width, 4.9), 5.3);
    return addAndNormalize(middle, linear(nn.gelu(linear(middle, hidden, 6.1)), width, 7.7), 8.3);
  });

  // The second sentence has five words.
  const lengths = device.tensor([[8, 5]], { dataType: 'int32' });
  const encoded = await encode(weights(sentences * length, width, 9.1), lengths);
  return { encoded: await encoded.read() };
}
