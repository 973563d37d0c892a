// Normalizations. All weights but the running values of `batchNorm` may be left out.
import { createDevice } from 'node-directml';
import * as nn from 'node-directml/nn';

const device = await createDevice();
const show = async (y) => Array.from(await (await y).read(), (element) => element.toFixed(2)).join(' ');
const x = device.tensor([1, 3, 5, 7], { sizes: [1, 2, 2] });
console.log(await show(nn.layerNorm(x))); // -1.00 1.00 -1.00 1.00
console.log(await show(nn.layerNorm(x, { weight: device.tensor([2, 2]), bias: device.tensor([1, 1]) }))); // -1.00 3.00 -1.00 3.00
console.log(await show(nn.rmsNorm(x))); // 0.45 1.34 0.82 1.15
console.log(await show(nn.groupNorm(x, {}, { groups: 1 }))); // -1.34 -0.45 0.45 1.34
const running = { running_mean: device.tensor([2, 5]), running_var: device.tensor([1, 4]) };
console.log(await show(nn.batchNorm(x, running))); // -1.00 1.00 0.00 1.00
const [normal, next] = await nn.batchNorm(x, running, { training: true });
console.log(await show(normal), 'and', await show(next.running_mean)); // -1.00 1.00 -1.00 1.00 and 2.00 5.10
device.dispose();
