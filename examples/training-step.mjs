// Trains a linear classifier: predicts the classes of some points, compares them with the true ones, and lets Adam correct
// the weights by the gradient of the cross entropy, thirty times. Each operator is compiled in the first step only, because
// `run` keeps the operators that it used last.

/** @typedef {(row: number, column: number) => number} Value an element of a matrix */
/** @typedef {import('node-directml').Tensor} Tensor */

/** @param {import('node-directml').Device} device */
export default async function trainingStep(device) {
  const [samples, features, classes, learningRate] = [90, 4, 3, 0.1];
  /** @returns {Tensor} */
  const matrix = (/** @type {number} */ rows, /** @type {number} */ columns, /** @type {Value} */ value) => {
    const values = Array.from({ length: rows * columns }, (_, i) => value(Math.floor(i / columns), i % columns));
    return device.createTensor({ dataType: 'float32', sizes: [rows, columns] }, values);
  };
  // Each class has a sine wave of its own, to which every point adds noise.
  const labels = Array.from({ length: samples }, (_, i) => i % classes);
  const wave = (/** @type {number} */ label, /** @type {number} */ x) => Math.sin(label + x);
  const noise = (/** @type {number} */ sample, /** @type {number} */ x) => Math.sin(sample ** 2 + x) / 2;
  const points = matrix(samples, features, (row, column) => wave(labels[row] ?? 0, column) + noise(row, column));
  const truth = matrix(samples, classes, (row, column) => (labels[row] === column ? 1 : 0));

  const transposed = points.transpose();
  const zeros = () => matrix(features, classes, () => 0);
  let state = { inputParametersTensor: zeros(), inputFirstMomentTensor: zeros(), inputSecondMomentTensor: zeros() };
  // Adam counts its steps from 1.
  for (let step = 1; step <= 30; step++) {
    const { outputTensor: logits } = await device.run({ type: 'gemm', aTensor: points, bTensor: state.inputParametersTensor });
    const { outputTensor: guess } = await device.run({ type: 'activationSoftmax1', inputTensor: logits });
    const { outputTensor: error } = await device.run({ type: 'elementWiseSubtract', aTensor: guess, bTensor: truth });
    const { outputTensor: slope } = await device.run({ type: 'gemm', aTensor: transposed, bTensor: error, alpha: 1 / samples });
    const trainingStepTensor = device.createTensor({ dataType: 'uint32', sizes: [1, 1] }, [step]);
    const next = await device.run({ type: 'adamOptimizer', ...state, gradientTensor: slope, trainingStepTensor, learningRate });
    state = {
      inputParametersTensor: next.outputParametersTensor,
      inputFirstMomentTensor: next.outputFirstMomentTensor,
      inputSecondMomentTensor: next.outputSecondMomentTensor,
    };
  }
  return { weights: await state.inputParametersTensor.read() };
}
