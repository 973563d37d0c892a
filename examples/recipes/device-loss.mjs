import { createDevice } from 'node-directml';
import { square } from 'node-directml/array';

let opened;

/** Calls `work` with the device; again with a new device, at most twice, if it is lost meanwhile. */
async function onDevice(work, attempts = 3) {
  const opening = (opened ??= createDevice());
  try {
    return await work(await opening);
  } catch (error) {
    if (opened === opening) opened = undefined;
    if (error.code !== 'ERR_DEVICE_LOST' || attempts === 1) throw error;
    return onDevice(work, attempts - 1);
  }
}

function squares(numbers) {
  return onDevice(async (device) => (await square(device.tensor(numbers))).read());
}

console.log(await squares([1, 2, 3])); // Float32Array [1, 4, 9]
(await opened).simulateLoss(); // as a driver reset does
console.log(await squares([4, 5, 6])); // Float32Array [16, 25, 36]
(await opened).dispose();
