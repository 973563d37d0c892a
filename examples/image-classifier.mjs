// Classifies images with a small convolutional network that is one graph: a convolution with its activation, pooling, another
// convolution with a residual connection around it, the mean over each image, and a matrix product. Weights are constants.
import * as np from 'node-directml/array';
import * as nn from 'node-directml/nn';

/** @typedef {import('node-directml').Value<'float32'>} Value */
/** @typedef {Value | import('node-directml').Tensor<'float32'>} Weight */
/** @typedef {{ weight: Weight, bias: Weight }} Layer */

const [images, channels, classes] = [2, 8, 5];

/** @param {import('node-directml').Device} device */
export function makeWeights(device) {
  const weights = (/** @type {number[]} */ sizes, /** @type {number} */ seed) => {
    const count = sizes.reduce((product, size) => product * size);
    const values = Float32Array.from({ length: count }, (_, i) => Math.sin(seed * (i + 1)) / 3);
    return device.tensor(values, { sizes });
  };
  const stem = { weight: weights([channels, 3, 3, 3], 1.3), bias: weights([channels], 2.3) };
  const block = { weight: weights([channels, channels, 3, 3], 3.1), bias: weights([channels], 4.1) };
  return { stem, block, head: { weight: weights([channels, classes], 5.3), bias: weights([classes], 6.1) } };
}

/**
 * Returns what the network finds in each image, and how likely each class is.
 * @param {Value} image
 * @param {Record<keyof ReturnType<typeof makeWeights>, Layer>} weights
 */
export function classify(image, { stem, block, head }) {
  const small = nn.maxPool(nn.relu(nn.conv(image, stem, { padding: 1 })), 2);
  const features = np.mean(nn.relu(np.add(small, nn.conv(small, block, { padding: 1 }))), { axis: [2, 3] });
  const logits = np.add(np.matmul(features, head.weight), head.bias);
  return { features, probabilities: nn.softmax(logits) };
}

/** @param {import('node-directml').Device} device */
export default async function imageClassifier(device) {
  const weights = makeWeights(device);
  const net = device.jit((/** @type {Value} */ image) => classify(image, weights));
  const pixels = Float32Array.from({ length: images * 3 * 16 * 16 }, (_, i) => Math.sin(i / 7) * Math.cos(i / 100));
  const { features, probabilities } = await net(device.tensor(pixels, { sizes: [images, 3, 16, 16] }));
  return { features: await features.read(), probabilities: await probabilities.read() };
}
