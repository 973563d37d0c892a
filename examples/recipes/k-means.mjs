import { createDevice } from 'node-directml';
import * as np from 'node-directml/array';

const [count, groups] = [300, 3];
const device = await createDevice();
const [which, noise] = await np.random.split(np.random.key(device, 1));
const middles = device.tensor([
  [0, 0],
  [5, 0],
  [0, 5],
]);
const group = np.random.integers(which, [count], { high: groups });
const points = await np.add(np.take(middles, group, { axis: 0 }), np.random.normal(noise, [count, 2]));

const step = device.jit((points, centres) => {
  const distances = np.norm(np.subtract(np.expandDims(points, { axis: 1 }), centres), { axis: 2 });
  const members = np.oneHot(np.argmin(distances, { axis: 1 }), groups);
  const sums = np.matmul(np.matrixTranspose(members), points);
  return np.divide(sums, np.expandDims(np.sum(members, { axis: 0 }), { axis: 1 }));
});

let centres = await np.slice(points, [0, groups]);
for (let i = 0; i < 20; i++) centres = await step(points, centres);
const text = (await centres.toArray()).map((centre) => centre.map((x) => x.toFixed(1)).join(' '));
console.log(text.sort()); // [ '-0.1 -0.2', '-0.1 5.1', '5.0 -0.1' ]
device.dispose();
