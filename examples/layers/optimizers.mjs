// Optimizers: `{ init, update }`, pure functions that work inside `jit`. The learning rate is a number or a schedule.
import { createDevice } from 'node-directml';
import * as nn from 'node-directml/nn';

const device = await createDevice();
const show = async (y) => Array.from(await (await y).read(), (element) => element.toFixed(2)).join(' ');
const weights = { w: device.tensor([1, 2]) };
const gradients = { w: device.tensor([3, -4]) };
async function step({ init, update }) {
  const [{ w }] = await update(weights, gradients, await init(weights));
  return show(w);
}
console.log(await step(nn.sgd({ learningRate: 0.1 }))); // 0.70 2.40
console.log(await step(nn.momentum({ learningRate: 0.1, nesterov: true }))); // 0.43 2.76
console.log(await step(nn.adam({ learningRate: 0.1 }))); // 0.90 2.10
console.log(await step(nn.adamW({ learningRate: 0.1, weightDecay: 1 }))); // 0.80 1.90
console.log(await step(nn.rmsProp({ learningRate: 0.05 }))); // 0.50 2.50
console.log(await step(nn.sgd({ learningRate: nn.cosineDecay({ from: 0.1, steps: 100 }) }))); // 0.70 2.40
console.log(await step(nn.sgd({ learningRate: nn.exponentialDecay({ from: 0.1, factor: 0.5 }) }))); // 0.70 2.40
console.log(await show((await nn.clipByNorm(gradients, 1)).w)); // 0.60 -0.80
device.dispose();
