// Sequences. They are computed step by step, so their graphs grow with the steps.
import { createDevice } from 'node-directml';
import * as nn from 'node-directml/nn';

const device = await createDevice();
const show = async (y) => Array.from(await (await y).read(), (element) => element.toFixed(2)).join(' ');
const tensor = (sizes) => device.tensor(new Float32Array(sizes[0] * sizes[1]).fill(0.5), { sizes });
const weightsOf = (gates) => ({ weight_ih_l0: tensor([gates, 1]), weight_hh_l0: tensor([gates, 1]) });
const x = device.tensor([1, -1], { sizes: [2, 1, 1] }); // steps, batch, inputs
const { output, h, c } = await nn.lstm(x, weightsOf(4));
console.log(await show(output), 'and', await show(h), 'and', await show(c)); // 0.17 -0.02 and -0.02 and -0.04
const { output: ofGru } = await nn.gru(x, weightsOf(3));
console.log(await show(ofGru)); // 0.17 -0.19
device.dispose();
