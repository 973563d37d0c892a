// Reductions. Axes vanish unless `keepDims` is true. Without `axis`, one element remains.
import { createDevice } from 'node-directml';
import * as np from 'node-directml/array';

const device = await createDevice();
const x = device.tensor([1, 2, 3, 4, 5, 0], { sizes: [2, 3] });
console.log(await (await np.sum(x)).toArray()); // [ 15 ]
console.log(await (await np.prod(x, { axis: 1 })).toArray()); // [ 6, 0 ]
console.log(await (await np.mean(x, { axis: 0 })).toArray()); // [ 2.5, 3.5, 1.5 ]
console.log(await (await np.var(x, { axis: 0, keepDims: true })).toArray()); // [ [ 2.25, 2.25, 2.25 ] ]
console.log(await (await np.std(x, { axis: 0 })).toArray()); // [ 1.5, 1.5, 1.5 ]
console.log(await (await np.max(x, { axis: -1 })).toArray()); // [ 3, 5 ]
console.log(await (await np.min(x)).toArray()); // [ 0 ]
console.log(await (await np.all(x, { axis: 1 })).toArray()); // [ 1, 0 ]
console.log(await (await np.any(x, { axis: 1 })).toArray()); // [ 1, 1 ]
console.log(await (await np.countNonzero(x)).toArray()); // [ 5 ]
console.log(await (await np.argmax(x, { axis: 1 })).toArray()); // [ 2, 1 ]
console.log(await (await np.argmin(x)).toArray()); // [ 5 ]
console.log(await (await np.norm(x, { axis: 0, ord: 1 })).toArray()); // [ 5, 7, 3 ]
console.log((await (await np.logsumexp(x)).item()).toFixed(3)); // 5.456
device.dispose();
