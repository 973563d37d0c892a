// examples/transformer-block.mjs for TensorFlow.js.
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-cpu';

export default async function transformerBlock() {
  const [sequence, width, heads, hidden] = [12, 32, 4, 128];
  const matrix = (/** @type {number} */ rows, /** @type {number} */ columns, /** @type {number} */ seed) => {
    const values = Float32Array.from({ length: rows * columns }, (_, i) => Math.sin(seed * (i + 1)) / Math.sqrt(rows));
    return tf.tensor2d(values, [rows, columns]);
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
  const normalize = (/** @type {tf.Tensor} */ input, /** @type {tf.Tensor} */ scale) => {
    const { mean, variance } = tf.moments(input, 1, true);
    return tf.mul(scale, tf.div(tf.sub(input, mean), tf.sqrt(tf.add(variance, 1e-5))));
  };
  const gelu = (/** @type {tf.Tensor} */ x) => tf.mul(tf.mul(x, 0.5), tf.add(tf.erf(tf.div(x, Math.SQRT2)), 1));

  // The columns of the projected tokens are query, key and value of the first head, then of the next one.
  const normal1 = normalize(tokens, weights.scale1);
  const projected = tf.matMul(normal1, weights.attention);
  const stacked = tf.reshape(projected, [sequence, heads, 3, width / heads]);
  const parts = tf.unstack(tf.transpose(stacked, [2, 1, 0, 3]));
  const [query, key, value] = /** @type {[tf.Tensor, tf.Tensor, tf.Tensor]} */ (parts);
  const scores = tf.div(tf.matMul(query, key, false, true), Math.sqrt(width / heads));
  const attended = tf.transpose(tf.matMul(tf.softmax(scores), value), [1, 0, 2]);
  const middle = tf.add(tokens, tf.matMul(tf.reshape(attended, [sequence, width]), weights.projection));

  const normal2 = normalize(middle, weights.scale2);
  const expanded = gelu(tf.matMul(normal2, weights.expansion));
  const output = tf.add(middle, tf.matMul(expanded, weights.contraction));
  return { output: await output.data() };
}
