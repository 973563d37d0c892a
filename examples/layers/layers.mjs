// Layers. `conv`, `convTranspose` and pooling take 1 to 3 dimensions after batch and channels.
import { createDevice } from 'node-directml';
import { random } from 'node-directml/array';
import * as nn from 'node-directml/nn';

const device = await createDevice();
const show = async (y) => (await y).toArray();
const x = device.tensor([[1, 2, 3]]);
console.log(await show(nn.linear(x, { weight: device.tensor([[1, 1, 1]]), bias: device.tensor([0.5]) }))); // [ [ 6.5 ] ]
const signal = device.tensor([1, 2, 4, 8], { sizes: [1, 1, 4] });
const filter = { weight: device.tensor([1, -1], { sizes: [1, 1, 2] }) };
console.log(await show(nn.conv(signal, filter))); // [ [ [ -1, -2, -4 ] ] ]
console.log(await show(nn.convTranspose(signal, filter))); // [ [ [ 1, 1, 2, 4, -8 ] ] ]
console.log(await show(nn.maxPool(signal, 2))); // [ [ [ 2, 8 ] ] ]
console.log(await show(nn.avgPool(signal, 2))); // [ [ [ 1.5, 6 ] ] ]
const table = device.tensor([1, 2, 3, 4], { sizes: [2, 2] });
console.log(await show(nn.embedding(device.tensor([1, 0], { dataType: 'int32' }), { weight: table }))); // [ [ 3, 4 ], [ 1, 2 ] ]
console.log(await show(nn.dropout(table, random.key(device, 3), { p: 0.5 }))); // [ [ 0, 4 ], [ 0, 0 ] ]
const token = device.tensor([1, 0, 0, 1], { sizes: [2, 2] });
console.log(await show(nn.attention(token, token, table, { isCausal: true, scale: 100 }))); // [ [ 1, 2 ], [ 3, 4 ] ]
device.dispose();
