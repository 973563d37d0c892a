// Products.
import { createDevice } from 'node-directml';
import * as np from 'node-directml/array';

const device = await createDevice();
const x = device.tensor([1, 2, 3, 4], { sizes: [2, 2] });
const v = device.tensor([1, 2, 3]);
console.log(await (await np.matmul(x, x)).toArray()); // [ [ 7, 10 ], [ 15, 22 ] ]
console.log(await (await np.matmul(x, device.tensor([1, 1]))).toArray()); // [ 3, 7 ]
console.log(await (await np.vecdot(v, v)).toArray()); // [ 14 ]
console.log(await (await np.tensordot(x, x)).toArray()); // [ 30 ]
console.log(await (await np.outer(v, v)).toArray()); // [ [ 1, 2, 3 ], [ 2, 4, 6 ], [ 3, 6, 9 ] ]
console.log(await (await np.cross(v, device.tensor([0, 0, 1]))).toArray()); // [ 2, -1, 0 ]
console.log(await (await np.einsum('ij,kj->ik', x, x)).toArray()); // [ [ 5, 11 ], [ 11, 25 ] ]
console.log(await (await np.diagonal(x)).toArray()); // [ 1, 4 ]
console.log(await (await np.trace(x)).toArray()); // [ 5 ]
device.dispose();
