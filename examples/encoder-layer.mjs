// Computes one layer of a transformer's encoder as one graph: self-attention and a feed-forward network, each with a residual
// connection around it and a normalization after it. Sentences of different lengths are padded; a mask hides the padding.

/** @typedef {import('node-directml').Value} Value */

/** @param {import('node-directml').Device} device */
export default async function encoderLayer(device) {
  const [sentences, length, width, heads, hidden] = [2, 8, 32, 4, 64];
  const count = sentences * length;
  const numbers = (/** @type {number} */ rows, /** @type {number} */ columns, /** @type {number} */ seed) =>
    Float32Array.from({ length: rows * columns }, (_, i) => Math.sin(seed * (i + 1)) / Math.sqrt(rows));

  const graph = device.createGraph();
  const weights = (/** @type {number} */ rows, /** @type {number} */ columns, /** @type {number} */ seed) =>
    graph.constant({ dataType: 'float32', sizes: [rows, columns] }, numbers(rows, columns, seed));
  const linear = (/** @type {Value} */ aTensor, /** @type {number} */ columns, /** @type {number} */ seed, gelu = false) => {
    const bTensor = weights(aTensor.sizes[1] ?? 0, columns, seed);
    const cTensor = weights(1, columns, seed + 0.1).broadcastTo([count, columns]);
    /** @type {{ type: 'activationGelu' } | null} */
    const fusedActivation = gelu ? { type: 'activationGelu' } : null;
    return graph.add({ type: 'gemm', aTensor, bTensor, cTensor, fusedActivation }).outputTensor;
  };
  const addAndNormalize = (/** @type {Value} */ aTensor, /** @type {Value} */ bTensor, /** @type {number} */ seed) => {
    const { outputTensor: inputTensor } = graph.add({ type: 'elementWiseAdd', aTensor, bTensor });
    const [scaleTensor, biasTensor] = [weights(1, width, seed), weights(1, width, seed + 0.1)];
    return graph.add({ type: 'meanVarianceNormalization1', inputTensor, scaleTensor, biasTensor, axes: [1] }).outputTensor;
  };

  const tokens = graph.input('tokens', { dataType: 'float32', sizes: [count, width] });
  const lengths = graph.input('lengths', { dataType: 'int32', sizes: [1, sentences] });
  const { outputTensor: attended } = graph.add({
    type: 'multiheadAttention',
    queryTensor: linear(tokens, width, 1.3).reshape([sentences, length, width]),
    keyTensor: linear(tokens, width, 2.3).reshape([sentences, length, width]),
    valueTensor: linear(tokens, width, 3.1).reshape([sentences, length, width]),
    maskTensor: lengths,
    maskType: 'keySequenceLength',
    headCount: heads,
  });
  const middle = addAndNormalize(tokens, linear(attended.reshape([count, width]), width, 4.9), 5.3);
  const encoded = addAndNormalize(middle, linear(linear(middle, hidden, 6.1, true), width, 7.7), 8.3);

  const layer = await graph.compile({ encoded });
  const result = await layer.run({
    tokens: device.createTensor({ dataType: 'float32', sizes: [count, width] }, numbers(count, width, 9.1)),
    lengths: device.createTensor({ dataType: 'int32', sizes: [1, sentences] }, [8, 5]),
  });
  return { encoded: await result.encoded.read() };
}
