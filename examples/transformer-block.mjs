// Computes one block of a transformer as one graph: self-attention and a feed-forward network, each after a normalization and
// with a residual connection around it. As in some language models, the linear layers have no biases.
import * as np from 'node-directml/array';
import { gelu, layerNorm } from 'node-directml/nn';
import { multiheadAttention1 } from 'node-directml/operators';

/** @typedef {import('node-directml').Value<'float32'>} Value */

/** @param {import('node-directml').Device} device */
export default async function transformerBlock(device) {
  const [sequence, width, heads, hidden] = [12, 32, 4, 128];
  const matrix = (/** @type {number} */ rows, /** @type {number} */ columns, /** @type {number} */ seed) => {
    const values = Float32Array.from({ length: rows * columns }, (_, i) => Math.sin(seed * (i + 1)) / Math.sqrt(rows));
    return device.tensor(values, { sizes: [rows, columns] });
  };
  const weights = {
    scale1: matrix(1, width, 2.3),
    attention: matrix(width, 3 * width, 3.1),
    projection: matrix(width, width, 4.9),
    scale2: matrix(1, width, 5.3),
    expansion: matrix(width, hidden, 6.1),
    contraction: matrix(hidden, width, 7.7),
  };

  // `fast` joins sums and the activation with the matrix products before them.
  const block = device.jit(
    (/** @type {Value} */ tokens) => {
      // The columns of the projected tokens are query, key and value of the first head, then of the next one.
      const projected = np.matmul(np.multiply(layerNorm(tokens, {}), weights.scale1), weights.attention);
      const stackedQueryKeyValueTensor = projected.reshape([1, sequence, heads, 3, width / heads]);
      const { outputTensor } = multiheadAttention1({ stackedQueryKeyValueTensor, queryHeadCount: heads });
      const attended = outputTensor.reshape([sequence, width]);
      const middle = np.add(np.matmul(attended, weights.projection), tokens);

      const normal = np.multiply(layerNorm(middle, {}), weights.scale2);
      return np.add(np.matmul(gelu(np.matmul(normal, weights.expansion)), weights.contraction), middle);
    },
    { optimize: 'fast' },
  );
  const output = await block(matrix(sequence, width, 1.7));
  return { output: await output.read() };
}
