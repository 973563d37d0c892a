// Along an axis.
import { createDevice } from 'node-directml';
import * as np from 'node-directml/array';

const device = await createDevice();
const x = device.tensor([1, 2, 4, 7]);
console.log(await (await np.cumulativeSum(x)).toArray()); // [ 1, 3, 7, 14 ]
console.log(await (await np.cumulativeProd(x, { includeInitial: true })).toArray()); // [ 1, 1, 2, 8, 56 ]
console.log(await (await np.diff(x)).toArray()); // [ 1, 2, 3 ]
device.dispose();
