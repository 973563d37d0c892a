// Initial weights, from [keys](guides/arrays.md#random-numbers).
import { createDevice } from 'node-directml';
import { random } from 'node-directml/array';
import * as nn from 'node-directml/nn';

const device = await createDevice();
const key = random.key(device, 1);
console.log((await nn.xavierUniform(key, [4, 8])).sizes); // [ 4, 8 ]
console.log((await nn.xavierNormal(key, [4, 8])).sizes); // [ 4, 8 ]
console.log((await nn.kaimingUniform(key, [4, 8], { mode: 'fanOut' })).sizes); // [ 4, 8 ]
console.log((await nn.kaimingNormal(key, [16, 8, 3, 3])).sizes); // [ 16, 8, 3, 3 ]
device.dispose();
