// Trains a linear classifier: predicts the classes of some points, compares them with the true ones, and lets Adam correct
// the weights by the gradient of the cross entropy, thirty times. The step is one graph, compiled the first time only.
import { grad } from 'node-directml/gradients';
import {
  activationLogSoftmax1 as logSoftmax,
  adamOptimizer,
  elementWiseMultiply as multiply,
  gemm,
  reduce,
} from 'node-directml/operators';

/** @typedef {(row: number, column: number) => number} Element an element of a matrix */
/** @typedef {import('node-directml').Value<'float32'>} Value */
/** @typedef {{ weights: Value, mean: Value, square: Value }} State */
/** @typedef {import('node-directml').Value<'uint32'>} Step */

/** @param {import('node-directml').Device} device */
export default async function trainingStep(device) {
  const [samples, features, classes, learningRate] = [90, 4, 3, 0.1];
  const matrix = (/** @type {number} */ rows, /** @type {number} */ columns, /** @type {Element} */ element) => {
    const values = Array.from({ length: rows * columns }, (_, i) => element(Math.floor(i / columns), i % columns));
    return device.createTensor({ dataType: 'float32', sizes: [rows, columns] }, values);
  };
  // Each class has a sine wave of its own, to which every point adds noise.
  const labels = Array.from({ length: samples }, (_, i) => i % classes);
  const wave = (/** @type {number} */ label, /** @type {number} */ x) => Math.sin(label + x);
  const noise = (/** @type {number} */ sample, /** @type {number} */ x) => Math.sin(sample ** 2 + x) / 2;
  const points = matrix(samples, features, (row, column) => wave(labels[row] ?? 0, column) + noise(row, column));
  const truth = matrix(samples, classes, (row, column) => (labels[row] === column ? 1 : 0));

  const crossEntropy = (/** @type {Value} */ weights) => {
    const correct = multiply(logSoftmax(gemm(points, weights)), truth);
    return multiply(reduce(correct, { function: 'sum', axes: [0, 1] }), -1 / samples);
  };
  // One step on the weights, and on Adam's running averages of the gradient and of its square.
  const train = device.jit((/** @type {State} */ { weights, mean, square }, /** @type {Step} */ step) => {
    const next = adamOptimizer(weights, mean, square, grad(crossEntropy)(weights), step, { learningRate });
    return { weights: next.outputParametersTensor, mean: next.outputFirstMomentTensor, square: next.outputSecondMomentTensor };
  });
  const zeros = matrix(features, classes, () => 0);
  let state = { weights: zeros, mean: zeros, square: zeros };
  // Adam counts its steps from 1.
  for (let step = 1; step <= 30; step++) {
    state = await train(state, device.tensor([[step]], { dataType: 'uint32' }));
  }
  return { weights: await state.weights.read() };
}
