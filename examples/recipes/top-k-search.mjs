import { createDevice } from 'node-directml';
import * as np from 'node-directml/array';

const [count, width] = [200_000, 16];
const device = await createDevice();
const [key, noise] = await np.random.split(np.random.key(device, 1));
const unit = (x) => np.divide(x, np.norm(x, { axis: -1, keepDims: true }));
const library = await device.scope(() => unit(np.random.uniform(key, [count, width], { low: -1 }))); // use your own vectors

const search = device.jit((queries) => np.topK(np.matmul(unit(queries), library.transpose([1, 0])), 3));

const queries = np.take(library, device.tensor([123_456, 7], { dataType: 'int32' }), { axis: 0 });
const { values, indices } = await search(await np.add(queries, np.multiply(np.random.normal(noise, [2, width]), 0.05)));
console.log(await (await np.slice(indices, null, 0)).toArray()); // [ 123456, 7 ]
const cosines = await np.slice(values, null, 0);
console.log(Array.from(await cosines.read(), (cosine) => cosine > 0.9)); // [ true, true ]
device.dispose();
