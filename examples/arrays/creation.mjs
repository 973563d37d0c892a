// Creation. The device comes first, or a graph. `asarray` is `device.tensor`.
import { createDevice } from 'node-directml';
import * as np from 'node-directml/array';

const device = await createDevice();
const x = device.tensor([1, 2, 3, 4], { sizes: [2, 2] });
console.log(await (await np.zeros(device, [2, 2])).toArray()); // [ [ 0, 0 ], [ 0, 0 ] ]
console.log(await (await np.ones(device, 3, { dataType: 'int32' })).toArray()); // [ 1, 1, 1 ]
console.log(await (await np.full(device, [2], 7)).toArray()); // [ 7, 7 ]
console.log(await (await np.arange(device, 5)).toArray()); // [ 0, 1, 2, 3, 4 ]
console.log(await (await np.arange(device, 1, 2, { step: 0.25, dataType: 'float32' })).toArray()); // [ 1, 1.25, 1.5, 1.75 ]
console.log(await (await np.linspace(device, 0, 1, 5)).toArray()); // [ 0, 0.25, 0.5, 0.75, 1 ]
console.log(await (await np.eye(device, 2)).toArray()); // [ [ 1, 0 ], [ 0, 1 ] ]
console.log(await (await np.zerosLike(x)).toArray()); // [ [ 0, 0 ], [ 0, 0 ] ]
console.log(await (await np.onesLike(x)).toArray()); // [ [ 1, 1 ], [ 1, 1 ] ]
console.log(await (await np.fullLike(x, 7)).toArray()); // [ [ 7, 7 ], [ 7, 7 ] ]
console.log(await (await np.tril(x)).toArray()); // [ [ 1, 0 ], [ 3, 4 ] ]
console.log(await (await np.triu(x)).toArray()); // [ [ 1, 2 ], [ 0, 4 ] ]
const [columns, rows] = await np.meshgrid([np.arange(device, 3), np.arange(device, 2)]);
console.log(await columns.toArray(), await rows.toArray()); // [ [ 0, 1, 2 ], [ 0, 1, 2 ] ] [ [ 0, 0, 0 ], [ 1, 1, 1 ] ]
device.dispose();
