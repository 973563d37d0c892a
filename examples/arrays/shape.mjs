// Shape. Where the elements lie so that there is one, the first seven return a view, else a copy.
import { createDevice } from 'node-directml';
import * as np from 'node-directml/array';

const device = await createDevice();
const x = device.tensor([1, 2, 3, 4, 5, 6], { sizes: [2, 3] });
console.log(await (await np.reshape(x, [3, -1])).toArray()); // [ [ 1, 2 ], [ 3, 4 ], [ 5, 6 ] ]
console.log(await (await np.permuteDims(x, [1, 0])).toArray()); // [ [ 1, 4 ], [ 2, 5 ], [ 3, 6 ] ]
console.log(await (await np.matrixTranspose(x)).toArray()); // [ [ 1, 4 ], [ 2, 5 ], [ 3, 6 ] ]
console.log((await np.moveaxis(x, 0, -1)).sizes); // [ 3, 2 ]
console.log((await np.expandDims(x, { axis: 0 })).sizes); // [ 1, 2, 3 ]
console.log((await np.squeeze(np.expandDims(x, { axis: 0 }))).sizes); // [ 2, 3 ]
console.log(await (await np.broadcastTo(device.tensor([1, 2]), [2, 2])).toArray()); // [ [ 1, 2 ], [ 1, 2 ] ]
const [row, column] = await np.broadcastArrays(device.tensor([1, 2]), device.tensor([[3], [4]]));
console.log(await row.toArray(), await column.toArray()); // [ [ 1, 2 ], [ 1, 2 ] ] [ [ 3, 3 ], [ 4, 4 ] ]
console.log(await (await np.concat([x, x], { axis: 1 })).toArray()); // [ [ 1, 2, 3, 1, 2, 3 ], [ 4, 5, 6, 4, 5, 6 ] ]
console.log((await np.stack([x, x])).sizes); // [ 2, 2, 3 ]
const [first] = await np.unstack(x);
console.log(await first.toArray()); // [ 1, 2, 3 ]
console.log(await (await np.flip(x, { axis: 1 })).toArray()); // [ [ 3, 2, 1 ], [ 6, 5, 4 ] ]
console.log(await (await np.roll(x, 1, { axis: 1 })).toArray()); // [ [ 3, 1, 2 ], [ 6, 4, 5 ] ]
console.log(await (await np.tile(x, [1, 2])).toArray()); // [ [ 1, 2, 3, 1, 2, 3 ], [ 4, 5, 6, 4, 5, 6 ] ]
console.log(await (await np.repeat(x, 2, { axis: 0 })).toArray()); // [ [ 1, 2, 3 ], [ 1, 2, 3 ], [ 4, 5, 6 ], [ 4, 5, 6 ] ]
console.log(await (await np.pad(device.tensor([1, 2, 3]), [[2, 1]], { mode: 'edge' })).toArray()); // [ 1, 1, 1, 2, 3, 3 ]
device.dispose();
