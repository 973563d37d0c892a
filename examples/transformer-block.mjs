// Computes one block of a transformer: self-attention and a feed-forward network, each after a normalization and with a
// residual connection around it. As in some language models, the linear layers have no biases.

/** @typedef {import('node-directml').Tensor} Tensor */

/** @param {import('node-directml').Device} device */
export default async function transformerBlock(device) {
  const [sequence, width, heads, hidden] = [12, 32, 4, 128];
  const matrix = (/** @type {number} */ rows, /** @type {number} */ columns, /** @type {number} */ seed) => {
    const values = Float32Array.from({ length: rows * columns }, (_, i) => Math.sin(seed * (i + 1)) / Math.sqrt(rows));
    return device.createTensor({ dataType: 'float32', sizes: [rows, columns] }, values);
  };
  const tokens = matrix(sequence, width, 1.7);
  const weights = {
    scale1: matrix(1, width, 2.3),
    attention: matrix(width, 3 * width, 3.1),
    projection: matrix(width, width, 4.9),
    scale2: matrix(1, width, 5.3),
    expansion: matrix(width, hidden, 6.1),
    contraction: matrix(hidden, width, 7.7),
  };
  const normalize = (/** @type {Tensor} */ inputTensor, /** @type {Tensor} */ scaleTensor) =>
    device.run({ type: 'meanVarianceNormalization1', inputTensor, scaleTensor, axes: [1] });

  // The columns of the projected tokens are query, key and value of the first head, then of the next one.
  const { outputTensor: normal1 } = await normalize(tokens, weights.scale1);
  const { outputTensor: projected } = await device.run({ type: 'gemm', aTensor: normal1, bTensor: weights.attention });
  const { outputTensor: attended } = await device.run({
    type: 'multiheadAttention',
    stackedQueryKeyValueTensor: projected.reshape([1, sequence, heads, 3, width / heads]),
    headCount: heads,
  });
  const { outputTensor: middle } = await device.run({
    type: 'gemm',
    aTensor: attended.reshape([sequence, width]),
    bTensor: weights.projection,
    cTensor: tokens,
  });

  const { outputTensor: normal2 } = await normalize(middle, weights.scale2);
  const { outputTensor: expanded } = await device.run({
    type: 'gemm',
    aTensor: normal2,
    bTensor: weights.expansion,
    fusedActivation: { type: 'activationGelu' },
  });
  const { outputTensor: output } = await device.run({
    type: 'gemm',
    aTensor: expanded,
    bTensor: weights.contraction,
    cTensor: middle,
  });
  return { output: await output.read() };
}
