// Linear algebra, of the last two dimensions. `linalg` also has products and norms of arrays, by the standard's names.
import { createDevice } from 'node-directml';
import { linalg } from 'node-directml/array';

const device = await createDevice();
const x = device.tensor([4, 2, 2, 2], { sizes: [2, 2] });
console.log(await (await linalg.det(x)).toArray()); // [ 4 ]
const { sign, logabsdet } = await linalg.slogdet(x);
console.log(await sign.toArray(), await logabsdet.toArray()); // [ 1 ] [ 1.3862943649291992 ]
console.log(await (await linalg.inv(x)).toArray()); // [ [ 0.5, -0.5 ], [ -0.5, 1 ] ]
console.log(await (await linalg.solve(x, device.tensor([8, 6]))).toArray()); // [ 1, 2 ]
console.log(await (await linalg.cholesky(x)).toArray()); // [ [ 2, 0 ], [ 1, 1 ] ]
console.log(await (await linalg.matrixPower(x, 2)).toArray()); // [ [ 20, 12 ], [ 12, 8 ] ]
console.log(await (await linalg.matrixNorm(x, { ord: 1 })).toArray()); // [ 6 ]
console.log(await (await linalg.vectorNorm(device.tensor([3, 4]))).toArray()); // [ 5 ]
device.dispose();
