// Classifies images with a small convolutional network that is one graph: a convolution with its activation, pooling, another
// convolution with a residual connection around it, the mean over each image, and a matrix product. Weights are constants.

const [images, channels, classes] = [2, 8, 5];

/**
 * Adds the network to a graph. Returns its outputs: the features of each image, and the probability of each class.
 * @param {import('node-directml').Graph} graph
 */
export function addNetwork(graph) {
  const weights = (/** @type {string} */ name, /** @type {number[]} */ sizes, /** @type {number} */ seed) => {
    const count = sizes.reduce((product, size) => product * size);
    const values = Float32Array.from({ length: count }, (_, i) => Math.sin(seed * (i + 1)) / 3);
    return graph.constant({ dataType: 'float32', sizes }, values, { name });
  };
  const layer = (/** @type {string} */ name, /** @type {number} */ inputChannels, /** @type {number} */ seed) => ({
    filterTensor: weights(`${name} filters`, [channels, inputChannels, 3, 3], seed),
    biasTensor: weights(`${name} bias`, [1, channels, 1, 1], seed + 1),
    startPadding: [1, 1],
    endPadding: [1, 1],
  });
  const relu = /** @type {const} */ ({ type: 'activationRelu' });

  const inputTensor = graph.input('image', { dataType: 'float32', sizes: [images, 3, 16, 16] });
  const stem = graph.add({ type: 'convolution', inputTensor, ...layer('stem', 3, 1.3), fusedActivation: relu }).outputTensor;
  const { outputTensor: small } = graph.add({ type: 'maxPooling', inputTensor: stem, windowSize: [2, 2], strides: [2, 2] });
  const change = graph.add({ type: 'convolution', inputTensor: small, ...layer('block', channels, 3.1) }).outputTensor;
  const { outputTensor: sum } = graph.add({ type: 'elementWiseAdd', aTensor: small, bTensor: change });
  const { outputTensor: block } = graph.add({ ...relu, inputTensor: sum });
  const { outputTensor: mean } = graph.add({ type: 'reduce', function: 'average', inputTensor: block, axes: [2, 3] });

  // Views need no nodes: the mean with other sizes, and the bias repeated for each image.
  const features = mean.reshape([images, channels]);
  const bTensor = weights('head weights', [channels, classes], 5.3);
  const cTensor = weights('head bias', [1, classes], 6.1).broadcastTo([images, classes]);
  const { outputTensor: logits } = graph.add({ type: 'gemm', aTensor: features, bTensor, cTensor });
  const { outputTensor: probabilities } = graph.add({ type: 'activationSoftmax1', inputTensor: logits });
  return { features, probabilities };
}

/** @param {import('node-directml').Device} device */
export default async function imageClassifier(device) {
  const graph = device.createGraph();
  const net = await graph.compile(addNetwork(graph));
  const pixels = Float32Array.from({ length: images * 3 * 16 * 16 }, (_, i) => Math.sin(i / 7) * Math.cos(i / 100));
  const image = device.createTensor({ dataType: 'float32', sizes: [images, 3, 16, 16] }, pixels);
  const { features, probabilities } = await net.run({ image });
  return { features: await features.read(), probabilities: await probabilities.read() };
}
