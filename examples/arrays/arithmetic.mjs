// Arithmetic. Arrays are repeated to common sizes, as in NumPy; a number has the data type of the other array.
import { createDevice } from 'node-directml';
import * as np from 'node-directml/array';

const device = await createDevice();
const x = device.tensor([-7, 2.5, 3]);
const y = device.tensor([2, 2, 4]);
console.log(await (await np.add(x, 1)).toArray()); // [ -6, 3.5, 4 ]
console.log(await (await np.subtract(x, y)).toArray()); // [ -9, 0.5, -1 ]
console.log(await (await np.multiply(x, y)).toArray()); // [ -14, 5, 12 ]
console.log(await (await np.divide(x, y)).toArray()); // [ -3.5, 1.25, 0.75 ]
console.log(await (await np.floorDivide(x, y)).toArray()); // [ -4, 1, 0 ]
console.log(await (await np.remainder(x, y)).toArray()); // [ 1, 0.5, 3 ]
console.log(await (await np.pow(y, 2)).toArray()); // [ 4, 4, 16 ]
console.log(await (await np.positive(x)).toArray()); // [ -7, 2.5, 3 ]
console.log(await (await np.negative(x)).toArray()); // [ 7, -2.5, -3 ]
console.log(await (await np.abs(x)).toArray()); // [ 7, 2.5, 3 ]
console.log(await (await np.sign(x)).toArray()); // [ -1, 1, 1 ]
console.log(await (await np.signbit(x)).toArray()); // [ 1, 0, 0 ]
console.log(await (await np.copysign(y, x)).toArray()); // [ -2, 2, 4 ]
console.log(await (await np.square(x)).toArray()); // [ 49, 6.25, 9 ]
console.log(await (await np.reciprocal(y)).toArray()); // [ 0.5, 0.5, 0.25 ]
console.log(await (await np.maximum(x, y)).toArray()); // [ 2, 2.5, 4 ]
console.log(await (await np.minimum(x, y)).toArray()); // [ -7, 2, 3 ]
console.log(await (await np.clip(x, 0, 2.75)).toArray()); // [ 0, 2.5, 2.75 ]
console.log(await (await np.ceil(x)).toArray()); // [ -7, 3, 3 ]
console.log(await (await np.floor(x)).toArray()); // [ -7, 2, 3 ]
console.log(await (await np.round(x)).toArray()); // [ -7, 2, 3 ]
console.log(await (await np.trunc(x)).toArray()); // [ -7, 2, 3 ]
console.log(await (await np.astype(x, 'int32')).toArray()); // [ -7, 2, 3 ]
device.dispose();
