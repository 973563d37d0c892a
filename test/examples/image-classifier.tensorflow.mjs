// examples/image-classifier.mjs for TensorFlow.js.
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-cpu';

const [images, channels, classes] = [2, 8, 5];

/** @returns {tf.Tensor} */
function weights(/** @type {number[]} */ sizes, /** @type {number} */ seed) {
  const count = sizes.reduce((product, size) => product * size);
  return tf.tensor(
    Float32Array.from({ length: count }, (_, i) => Math.sin(seed * (i + 1)) / 3),
    sizes,
  );
}

/** Images, filters and biases of TensorFlow.js have the channels last. */
const channelsLast = (/** @type {tf.Tensor} */ image) => tf.transpose(image, [0, 2, 3, 1]);
const convolve = (/** @type {tf.Tensor} */ input, /** @type {tf.Tensor} */ filters, /** @type {tf.Tensor} */ bias) => {
  const last = /** @type {tf.Tensor4D} */ (tf.transpose(filters, [2, 3, 1, 0]));
  return tf.add(tf.conv2d(/** @type {tf.Tensor4D} */ (input), last, 1, 'same'), channelsLast(bias));
};

export default async function imageClassifier() {
  const pixels = Float32Array.from({ length: images * 3 * 16 * 16 }, (_, i) => Math.sin(i / 7) * Math.cos(i / 100));
  const image = channelsLast(tf.tensor(pixels, [images, 3, 16, 16]));
  const stem = tf.relu(convolve(image, weights([channels, 3, 3, 3], 1.3), weights([1, channels, 1, 1], 2.3)));
  const small = tf.maxPool(/** @type {tf.Tensor4D} */ (stem), [2, 2], [2, 2], 'valid');
  const change = convolve(small, weights([channels, channels, 3, 3], 3.1), weights([1, channels, 1, 1], 4.1));
  const block = tf.relu(tf.add(small, change));
  const features = tf.mean(block, [1, 2]);
  const logits = tf.add(tf.matMul(features, weights([channels, classes], 5.3)), weights([1, classes], 6.1));
  const probabilities = tf.softmax(logits);
  return { features: await features.data(), probabilities: await probabilities.data() };
}
