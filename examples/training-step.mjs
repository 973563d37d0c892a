// Trains a linear classifier: predicts the classes of some points, compares them with the true ones, and lets Adam correct
// the weights by the gradient of the cross entropy, thirty times. The step is one graph, compiled the first time only.
import * as np from 'node-directml/array';
import { grad } from 'node-directml/gradients';
import { adam, crossEntropy } from 'node-directml/nn';

/** @typedef {import('node-directml').Value<'float32'>} Value */

/** @param {import('node-directml').Device} device */
export default async function trainingStep(device) {
  const [samples, features, classes] = [90, 4, 3];
  // Each class has a sine wave of its own, to which every point adds noise.
  const labels = Int32Array.from({ length: samples }, (_, i) => i % classes);
  const wave = (/** @type {number} */ label, /** @type {number} */ x) => Math.sin(label + x);
  const noise = (/** @type {number} */ sample, /** @type {number} */ x) => Math.sin(sample ** 2 + x) / 2;
  const point = (/** @type {number} */ label, /** @type {number} */ i) =>
    Array.from({ length: features }, (_, x) => wave(label, x) + noise(i, x));
  const points = device.tensor(Array.from(labels, point));
  const truth = device.tensor(labels);

  const { init, update } = adam({ learningRate: 0.1 });
  const loss = (/** @type {Value} */ weights) => crossEntropy(np.matmul(points, weights), truth);
  const train = device.jit(
    (/** @type {Value} */ weights, /** @type {import('node-directml/nn').OptimizerState<Value>} */ state) =>
      update(weights, grad(loss)(weights), state),
  );
  let weights = await np.zeros(device, [features, classes]);
  let state = await init(weights);
  for (let step = 0; step < 30; step++) [weights, state] = await train(weights, state);
  return { weights: await weights.read() };
}
