// Classifies images with a small convolutional network that is one graph: a convolution with its activation, pooling, another
// convolution with a residual connection around it, the mean over each image, and a matrix product. Weights are constants.
import {
  activationRelu as relu,
  activationSoftmax1 as softmax,
  convolution,
  elementWiseAdd as add,
  gemm,
  maxPooling2,
  reduce,
} from 'node-directml/operators';

/** @typedef {import('node-directml').Value<'float32'>} Value */

const [images, channels, classes] = [2, 8, 5];

/** @param {import('node-directml').Device} device */
export function makeWeights(device) {
  const weights = (/** @type {number[]} */ sizes, /** @type {number} */ seed) => {
    const count = sizes.reduce((product, size) => product * size);
    const values = Float32Array.from({ length: count }, (_, i) => Math.sin(seed * (i + 1)) / 3);
    return device.createTensor({ dataType: 'float32', sizes }, values);
  };
  return {
    stemFilters: weights([channels, 3, 3, 3], 1.3),
    stemBias: weights([1, channels, 1, 1], 2.3),
    blockFilters: weights([channels, channels, 3, 3], 3.1),
    blockBias: weights([1, channels, 1, 1], 4.1),
    headWeights: weights([channels, classes], 5.3),
    headBias: weights([1, classes], 6.1),
  };
}

/**
 * Returns what the network finds in each image, and how likely each class is.
 * @param {Value} image
 * @param {Record<keyof ReturnType<typeof makeWeights>, Value | import('node-directml').Tensor<'float32'>>} weights
 */
export function classify(image, weights) {
  const padding = { startPadding: [1, 1], endPadding: [1, 1] };
  const stem = relu(convolution(image, weights.stemFilters, { biasTensor: weights.stemBias, ...padding }));
  const { outputTensor: small } = maxPooling2(stem, { windowSize: [2, 2], strides: [2, 2] });
  const change = convolution(small, weights.blockFilters, { biasTensor: weights.blockBias, ...padding });
  const block = relu(add(small, change));
  const features = reduce(block, { function: 'average', axes: [2, 3] }).reshape([images, channels]);
  const logits = gemm(features, weights.headWeights, { cTensor: weights.headBias });
  return { features, probabilities: softmax(logits) };
}

/** @param {import('node-directml').Device} device */
export default async function imageClassifier(device) {
  const weights = makeWeights(device);
  const net = device.jit((/** @type {Value} */ image) => classify(image, weights));
  const pixels = Float32Array.from({ length: images * 3 * 16 * 16 }, (_, i) => Math.sin(i / 7) * Math.cos(i / 100));
  const image = device.createTensor({ dataType: 'float32', sizes: [images, 3, 16, 16] }, pixels);
  const { features, probabilities } = await net(image);
  return { features: await features.read(), probabilities: await probabilities.read() };
}
