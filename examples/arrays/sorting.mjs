// Sorting and sets. NaN has no certain place. How many different elements there are is read, so `jit` refuses sets.
import { createDevice } from 'node-directml';
import * as np from 'node-directml/array';

const device = await createDevice();
const x = device.tensor([3, 1, 2, 3]);
console.log(await (await np.sort(x)).toArray()); // [ 1, 2, 3, 3 ]
console.log(await (await np.argsort(x, { descending: true })).toArray()); // [ 0, 3, 2, 1 ]
const { values, indices } = await np.topK(x, 2);
console.log(await values.toArray(), await indices.toArray()); // [ 3, 3 ] [ 0, 3 ]
console.log(await (await np.uniqueValues(x)).toArray()); // [ 1, 2, 3 ]
const { counts } = await np.uniqueCounts(x);
console.log(await counts.toArray()); // [ 1, 1, 2 ]
const { inverseIndices } = await np.uniqueInverse(x);
console.log(await inverseIndices.toArray()); // [ 2, 0, 1, 2 ]
console.log(Object.keys(await np.uniqueAll(x))); // [ 'values', 'indices', 'inverseIndices', 'counts' ]
device.dispose();
