// @ts-check
// The benchmark's row about a network that is dispatched operator by operator.
import { batchDispatches, weightData } from './data.mjs';

/** @typedef {import('node-directml').Device} Device */
/** @typedef {import('node-directml').Tensor} Tensor */
/** @typedef {import('./rounds.mjs').Work} Work */

const layers = 10;
const desc = /** @type {const} */ ({ dataType: 'float32', sizes: [7, 33] });
const square = /** @type {const} */ ({ dataType: 'float32', sizes: [33, 33] });

/** Dispatches passes of 50 operators. Each operator writes a tensor of its own, which the next operator reads. */
export async function networkWork(/** @type {Device} */ device) {
  const input = device.createTensor(
    desc,
    Float32Array.from({ length: 7 * 33 }, (_, i) => (i % 61) / 64 - 0.25),
  );
  /** @type {(() => void)[]} */
  const steps = [];
  /** @type {Tensor} */
  let x = input;
  for (let layer = 0; layer < layers; layer++) {
    const added = await addLayer(device, layer, x);
    steps.push(...added.steps);
    x = added.output;
  }
  const output = x;
  await device.idle();
  /** @type {Work} */
  const work = {
    async run() {
      for (let i = 0; i < batchDispatches; i++) steps[i % steps.length]?.();
      await device.idle();
    },
    result: () => output.read(),
  };
  return work;
}

/** Adds the same layer as bench/native/network.cpp. */
async function addLayer(/** @type {Device} */ device, /** @type {number} */ layer, /** @type {Tensor} */ input) {
  const [product, sum, positive, scaled, output] = Array.from({ length: 5 }, () => device.createTensor(desc));
  if (!product || !sum || !positive || !scaled || !output) throw new Error('five tensors were made');
  const gemm = await device.compile({ type: 'gemm', aTensor: desc, bTensor: square, alpha: 1, beta: 0 });
  const add = await device.compile({ type: 'elementWiseAdd', aTensor: desc, bTensor: desc });
  const relu = await device.compile({ type: 'activationRelu', inputTensor: desc });
  const multiply = await device.compile({ type: 'elementWiseMultiply', aTensor: desc, bTensor: desc });
  const tanh = await device.compile({ type: 'activationTanh', inputTensor: desc });
  const [weights, bias, factors] = [
    device.createTensor(square, weightData(33 * 33, 3 * layer)),
    device.createTensor(desc, weightData(7 * 33, 3 * layer + 1)),
    device.createTensor(desc, weightData(7 * 33, 3 * layer + 2)),
  ];
  const bindings = {
    gemm: { aTensor: input, bTensor: weights, outputTensor: product },
    add: { aTensor: product, bTensor: bias, outputTensor: sum },
    relu: { inputTensor: sum, outputTensor: positive },
    multiply: { aTensor: positive, bTensor: factors, outputTensor: scaled },
    tanh: { inputTensor: scaled, outputTensor: output },
  };
  const steps = [
    () => gemm.dispatch(bindings.gemm),
    () => add.dispatch(bindings.add),
    () => relu.dispatch(bindings.relu),
    () => multiply.dispatch(bindings.multiply),
    () => tanh.dispatch(bindings.tanh),
  ];
  return { steps, output };
}
