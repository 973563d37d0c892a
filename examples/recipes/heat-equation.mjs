import { createDevice } from 'node-directml';
import * as np from 'node-directml/array';

const [size, speed] = [64, 0.2]; // the scheme is stable up to a speed of 0.25
const device = await createDevice();
function step(heat) {
  const wide = np.pad(heat, 1); // the edge is kept at 0
  const [before, same, after] = [
    [0, -2],
    [1, -1],
    [2, null],
  ];
  const vertical = np.add(np.slice(wide, before, same), np.slice(wide, after, same));
  const horizontal = np.add(np.slice(wide, same, before), np.slice(wide, same, after));
  const change = np.subtract(np.add(vertical, horizontal), np.multiply(heat, 4));
  return np.add(heat, np.multiply(change, speed));
}
const tenSteps = device.jit((heat) => {
  for (let i = 0; i < 10; i++) heat = step(heat);
  return heat;
});

let heat = await np.setSlice(np.zeros(device, [size, size]), 100, [24, 40], [24, 40]); // a hot square
for (let i = 0; i < 20; i++) heat = await tenSteps(heat);
const [middle, corner] = [np.slice(heat, 32, 32), np.slice(heat, 20, 20)];
console.log((await (await middle).item()).toFixed(1), (await (await corner).item()).toFixed(1)); // 39.4 11.1
device.dispose();
