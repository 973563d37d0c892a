// Computes one block of a transformer as one graph: self-attention and a feed-forward network, each after a normalization and
// with a residual connection around it. As in some language models, the linear layers have no biases.
import { gemm, meanVarianceNormalization2, multiheadAttention1 } from 'node-directml/operators';

/** @typedef {import('node-directml').Tensor} Tensor */
/** @typedef {import('node-directml').Value} Value */

/** @param {import('node-directml').Device} device */
export default async function transformerBlock(device) {
  const [sequence, width, heads, hidden] = [12, 32, 4, 128];
  const matrix = (/** @type {number} */ rows, /** @type {number} */ columns, /** @type {number} */ seed) => {
    const values = Float32Array.from({ length: rows * columns }, (_, i) => Math.sin(seed * (i + 1)) / Math.sqrt(rows));
    return device.createTensor({ dataType: 'float32', sizes: [rows, columns] }, values);
  };
  const weights = {
    scale1: matrix(1, width, 2.3),
    attention: matrix(width, 3 * width, 3.1),
    projection: matrix(width, width, 4.9),
    scale2: matrix(1, width, 5.3),
    expansion: matrix(width, hidden, 6.1),
    contraction: matrix(hidden, width, 7.7),
  };
  const normalize = (/** @type {Value} */ input, /** @type {Tensor} */ scaleTensor) =>
    meanVarianceNormalization2(input, { scaleTensor, axes: [1] });

  const block = device.jit((/** @type {Value} */ tokens) => {
    // The columns of the projected tokens are query, key and value of the first head, then of the next one.
    const projected = gemm(normalize(tokens, weights.scale1), weights.attention);
    const { outputTensor: attended } = multiheadAttention1({
      stackedQueryKeyValueTensor: projected.reshape([1, sequence, heads, 3, width / heads]),
      queryHeadCount: heads,
    });
    const middle = gemm(attended.reshape([sequence, width]), weights.projection, { cTensor: tokens });

    const normal = normalize(middle, weights.scale2);
    const expanded = gemm(normal, weights.expansion, { fusedActivation: { type: 'activationGelu' } });
    return gemm(expanded, weights.contraction, { cTensor: middle });
  });
  const output = await block(matrix(sequence, width, 1.7));
  return { output: await output.read() };
}
