import { createDevice } from 'node-directml';
import * as np from 'node-directml/array';

const device = await createDevice();
const { random } = np;
const [dice, cards, noise, points] = await random.split(random.key(device, 2026), 4); // a new key for each draw
console.log(await (await random.integers(dice, [5], { low: 1, high: 7 })).toArray()); // [ 4, 2, 1, 5, 6 ]
console.log(await (await random.permutation(cards, 5)).toArray()); // [ 0, 4, 3, 1, 2 ]

const noisy = device.jit((x, key) => np.add(x, random.normal(key, x.sizes))); // keys are arguments
for (let i = 0; i < 2; i++) {
  const y = await noisy(device.tensor([10]), await random.foldIn(noise, i));
  console.log((await y.item()).toFixed(3)); // 11.736, then 9.600
}

const isInside = np.less(np.norm(random.uniform(points, [1_000_000, 2]), { axis: 1 }), 1);
const pi = np.multiply(np.mean(isInside), 4);
console.log((await (await pi).item()).toFixed(2)); // 3.14
device.dispose();
