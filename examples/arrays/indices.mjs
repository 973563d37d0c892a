// Parts and indices. Numbers from the end are negative. Indices out of range are not checked.
import { createDevice } from 'node-directml';
import * as np from 'node-directml/array';

const device = await createDevice();
const x = device.tensor([1, 2, 3, 4, 5, 6], { sizes: [2, 3] });
const pairs = device.tensor([0, 1, 1, 2], { dataType: 'int32', sizes: [2, 2] });
const index = device.tensor([2, 0], { dataType: 'int32' });
console.log(await (await np.slice(x, 0, [1, null])).toArray()); // [ 2, 3 ]
console.log(await (await np.slice(x, '...', [null, null, -1])).toArray()); // [ [ 3, 2, 1 ], [ 6, 5, 4 ] ]
console.log(await (await np.setSlice(x, 0, null, 1)).toArray()); // [ [ 1, 0, 3 ], [ 4, 0, 6 ] ]
console.log(await (await np.take(x, index, { axis: 1 })).toArray()); // [ [ 3, 1 ], [ 6, 4 ] ]
console.log(await (await np.takeAlongAxis(x, device.tensor([[1], [2]], { dataType: 'int32' }))).toArray()); // [ [ 2 ], [ 6 ] ]
console.log(await (await np.at(x, pairs)).toArray()); // [ 2, 6 ]
console.log(await (await np.atSet(x, pairs, device.tensor([8, 9]))).toArray()); // [ [ 1, 8, 3 ], [ 4, 5, 9 ] ]
console.log(await (await np.atAdd(x, pairs, device.tensor([8, 9]))).toArray()); // [ [ 1, 10, 3 ], [ 4, 5, 15 ] ]
console.log(await (await np.oneHot(index, 3)).toArray()); // [ [ 0, 0, 1 ], [ 1, 0, 0 ] ]
console.log(await (await np.searchSorted(device.tensor([1, 3, 5]), device.tensor([0, 3, 9]))).toArray()); // [ 0, 1, 3 ]
const [rows, columns] = await np.nonzero(np.greater(x, 4));
console.log(await rows.toArray(), await columns.toArray()); // [ 1, 1 ] [ 1, 2 ]
device.dispose();
