// Activations.
import { createDevice } from 'node-directml';
import * as nn from 'node-directml/nn';

const device = await createDevice();
const show = async (y) => Array.from(await (await y).read(), (element) => element.toFixed(2)).join(' ');
const x = device.tensor([-1, 0, 2]);
console.log(await show(nn.relu(x))); // 0.00 0.00 2.00
console.log(await show(nn.leakyRelu(x, { negativeSlope: 0.1 }))); // -0.10 0.00 2.00
console.log(await show(nn.elu(x))); // -0.63 0.00 2.00
console.log(await show(nn.gelu(x))); // -0.16 0.00 1.95
console.log(await show(nn.silu(x))); // -0.27 0.00 1.76
console.log(await show(nn.hardswish(x))); // -0.33 0.00 1.67
console.log(await show(nn.sigmoid(x))); // 0.27 0.50 0.88
console.log(await show(nn.tanh(x))); // -0.76 0.00 0.96
console.log(await show(nn.softplus(x))); // 0.31 0.69 2.13
console.log(await show(nn.softmax(x))); // 0.04 0.11 0.84
console.log(await show(nn.logSoftmax(x))); // -3.17 -2.17 -0.17
device.dispose();
