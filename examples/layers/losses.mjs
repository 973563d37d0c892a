// Losses. They return the mean, or with `reduction: 'sum'` or `'none'` the sum or all elements.
import { createDevice } from 'node-directml';
import * as nn from 'node-directml/nn';

const device = await createDevice();
const show = async (y) => Array.from(await (await y).read(), (element) => element.toFixed(2)).join(' ');
const x = device.tensor([0.2, 0.4, 3]);
const target = device.tensor([0, 1, 1]);
console.log(await show(nn.mse(x, target))); // 1.47
console.log(await show(nn.huber(x, target, { reduction: 'none' }))); // 0.02 0.18 1.50
console.log(await show(nn.binaryCrossEntropy(x, target, { fromLogits: true }))); // 0.45
const logits = device.tensor([2, 0, 0, 1], { sizes: [2, 2] });
console.log(await show(nn.crossEntropy(logits, device.tensor([0, 1], { dataType: 'int32' })))); // 0.22
device.dispose();
