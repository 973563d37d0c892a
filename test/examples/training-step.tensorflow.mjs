// examples/training-step.mjs for TensorFlow.js.
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-cpu';
import './tensorflow-gradients.mjs';

/** @typedef {(row: number, column: number) => number} Value an element of a matrix */

export default async function trainingStep() {
  const [samples, features, classes, learningRate] = [90, 4, 3, 0.1];
  const matrix = (/** @type {number} */ rows, /** @type {number} */ columns, /** @type {Value} */ value) => {
    const values = Array.from({ length: rows * columns }, (_, i) => value(Math.floor(i / columns), i % columns));
    return tf.tensor2d(values, [rows, columns]);
  };
  // Each class has a sine wave of its own, to which every point adds noise.
  const labels = Array.from({ length: samples }, (_, i) => i % classes);
  const wave = (/** @type {number} */ label, /** @type {number} */ x) => Math.sin(label + x);
  const noise = (/** @type {number} */ sample, /** @type {number} */ x) => Math.sin(sample ** 2 + x) / 2;
  const points = matrix(samples, features, (row, column) => wave(labels[row] ?? 0, column) + noise(row, column));
  const truth = matrix(samples, classes, (row, column) => (labels[row] === column ? 1 : 0));

  const weights = tf.variable(matrix(features, classes, () => 0));
  const optimizer = tf.train.adam(learningRate, 0.9, 0.999, 1e-8);
  for (let step = 1; step <= 30; step++) {
    optimizer.minimize(() => {
      const logits = tf.matMul(points, weights);
      return tf.losses.softmaxCrossEntropy(truth, logits);
    });
  }
  return { weights: await weights.data() };
}
