// Random numbers: `np.random`. A key gives the same numbers in each call, on each device and in each version.
import { createDevice } from 'node-directml';
import { random } from 'node-directml/array';

const device = await createDevice();
const key = random.key(device, 2026);
const [one, two, three] = await random.split(key, 3);
console.log((await random.foldIn(key, 7)).sizes); // [ 2 ]
console.log(await (await random.bits(one, [2])).toArray()); // [ 1651878514, 2832740482 ]
console.log((await (await random.uniform(one, [1])).item()).toFixed(3)); // 0.385
console.log((await (await random.normal(two, [1])).item()).toFixed(3)); // 0.955
console.log(await (await random.integers(one, [5], { low: 1, high: 7 })).toArray()); // [ 4, 2, 1, 5, 6 ]
console.log(await (await random.permutation(two, 5)).toArray()); // [ 0, 4, 3, 1, 2 ]
console.log(await (await random.bernoulli(three, [5], { p: 0.5 })).toArray()); // [ 1, 0, 0, 1, 1 ]
device.dispose();
