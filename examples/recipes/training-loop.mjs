import { createDevice } from 'node-directml';
import * as np from 'node-directml/array';
import { grad } from 'node-directml/gradients';
import * as nn from 'node-directml/nn';

const device = await createDevice();
const [data, one, two, orders] = await np.random.split(np.random.key(device, 1), 4);
const points = await np.random.uniform(data, [256, 2], { low: -1, high: 1 });
const labels = await np.less(np.sum(np.square(points), { axis: 1 }), 0.6); // 1 inside of a circle

const model = (weights, x) => nn.linear(nn.relu(nn.linear(x, weights.first)), weights.second);
const loss = (weights, x, y) => nn.crossEntropy(model(weights, x), y);
const { init, update } = nn.adamW({ learningRate: 0.05 });
const step = device.jit((weights, state, places) => {
  const batch = [np.take(points, places, { axis: 0 }), np.take(labels, places)];
  return update(weights, grad(loss)(weights, ...batch), state);
});

const layer = async (key, sizes) => ({ weight: await nn.kaimingUniform(key, sizes), bias: await np.zeros(device, sizes[0]) });
let weights = { first: await layer(one, [16, 2]), second: await layer(two, [2, 16]) };
let state = await init(weights);
for (let epoch = 0; epoch < 20; epoch++) {
  const order = np.random.permutation(np.random.foldIn(orders, epoch), 256);
  for (const places of await np.unstack(np.reshape(order, [4, 64]))) [weights, state] = await step(weights, state, places);
}
const right = np.equal(np.argmax(await model(weights, points), { axis: 1 }), labels);
console.log((await (await np.mean(right)).item()) > 0.95); // true
device.dispose();
