// examples/encoder-layer.mjs for TensorFlow.js.
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-cpu';

export default async function encoderLayer() {
  const [sentences, length, width, heads, hidden] = [2, 8, 32, 4, 64];
  const weights = (/** @type {number} */ rows, /** @type {number} */ columns, /** @type {number} */ seed) => {
    const values = Float32Array.from({ length: rows * columns }, (_, i) => Math.sin(seed * (i + 1)) / Math.sqrt(rows));
    return tf.tensor2d(values, [rows, columns]);
  };
  const linear = (/** @type {tf.Tensor} */ input, /** @type {number} */ columns, /** @type {number} */ seed) =>
    tf.add(tf.matMul(input, weights(input.shape[1] ?? 0, columns, seed)), weights(1, columns, seed + 0.1));
  const addAndNormalize = (/** @type {tf.Tensor} */ a, /** @type {tf.Tensor} */ b, /** @type {number} */ seed) => {
    const sum = tf.add(a, b);
    const { mean, variance } = tf.moments(sum, 1, true);
    const normal = tf.div(tf.sub(sum, mean), tf.sqrt(tf.add(variance, 1e-5)));
    return tf.add(tf.mul(normal, weights(1, width, seed)), weights(1, width, seed + 0.1));
  };
  const gelu = (/** @type {tf.Tensor} */ x) => tf.mul(tf.mul(x, 0.5), tf.add(tf.erf(tf.div(x, Math.SQRT2)), 1));
  const splitHeads = (/** @type {tf.Tensor} */ x) =>
    tf.transpose(tf.reshape(x, [sentences, length, heads, width / heads]), [0, 2, 1, 3]);

  const tokens = weights(sentences * length, width, 9.1);
  const [query, key, value] = /** @type {[tf.Tensor, tf.Tensor, tf.Tensor]} */ (
    [1.3, 2.3, 3.1].map((seed) => splitHeads(linear(tokens, width, seed)))
  );
  const scores = tf.div(tf.matMul(query, key, false, true), Math.sqrt(width / heads));
  // The second sentence has five words.
  const isPadding = tf.greaterEqual(tf.range(0, length), tf.tensor([8, 5], [sentences, 1, 1, 1]));
  const masked = tf.add(scores, tf.mul(tf.cast(isPadding, 'float32'), -10000));
  const attended = tf.transpose(tf.matMul(tf.softmax(masked), value), [0, 2, 1, 3]);
  const middle = addAndNormalize(tokens, linear(tf.reshape(attended, [sentences * length, width]), width, 4.9), 5.3);
  const encoded = addAndNormalize(middle, linear(gelu(linear(middle, hidden, 6.1)), width, 7.7), 8.3);
  return { encoded: await encoded.data() };
}
