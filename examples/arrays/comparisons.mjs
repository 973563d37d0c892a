// Comparisons and conditions. There is no bool: results are uint8, 0 or 1, and every number but 0 is true.
import { createDevice } from 'node-directml';
import * as np from 'node-directml/array';

const device = await createDevice();
const x = device.tensor([1, 2, NaN, Infinity]);
const y = device.tensor([2, 2, 2, 0]);
console.log(await (await np.equal(x, y)).toArray()); // [ 0, 1, 0, 0 ]
console.log(await (await np.notEqual(x, y)).toArray()); // [ 1, 0, 1, 1 ]
console.log(await (await np.less(x, y)).toArray()); // [ 1, 0, 0, 0 ]
console.log(await (await np.lessEqual(x, y)).toArray()); // [ 1, 1, 0, 0 ]
console.log(await (await np.greater(x, y)).toArray()); // [ 0, 0, 0, 1 ]
console.log(await (await np.greaterEqual(x, 2)).toArray()); // [ 0, 1, 0, 1 ]
console.log(await (await np.logicalAnd(x, y)).toArray()); // [ 1, 1, 1, 0 ]
console.log(await (await np.logicalOr(x, y)).toArray()); // [ 1, 1, 1, 1 ]
console.log(await (await np.logicalXor(x, y)).toArray()); // [ 0, 0, 0, 1 ]
console.log(await (await np.logicalNot(y)).toArray()); // [ 0, 0, 0, 1 ]
console.log(await (await np.isnan(x)).toArray()); // [ 0, 0, 1, 0 ]
console.log(await (await np.isinf(x)).toArray()); // [ 0, 0, 0, 1 ]
console.log(await (await np.isfinite(x)).toArray()); // [ 1, 1, 0, 0 ]
console.log(await (await np.where(np.isfinite(x), x, 0)).toArray()); // [ 1, 2, 0, 0 ]
device.dispose();
