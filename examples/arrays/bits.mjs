// Bits of integers.
import { createDevice } from 'node-directml';
import * as np from 'node-directml/array';

const device = await createDevice();
const x = device.tensor([12, -4], { dataType: 'int32' });
console.log(await (await np.bitwiseAnd(x, 6)).toArray()); // [ 4, 4 ]
console.log(await (await np.bitwiseOr(x, 1)).toArray()); // [ 13, -3 ]
console.log(await (await np.bitwiseXor(x, 5)).toArray()); // [ 9, -7 ]
console.log(await (await np.bitwiseInvert(x)).toArray()); // [ -13, 3 ]
console.log(await (await np.bitwiseLeftShift(x, 2)).toArray()); // [ 48, -16 ]
console.log(await (await np.bitwiseRightShift(x, 2)).toArray()); // [ 3, -1 ]
device.dispose();
