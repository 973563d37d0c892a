// @ts-check
// The benchmark's row about memory: how much a device keeps for its own use after a burst of work.
import { setTimeout as sleep } from 'node:timers/promises';
import { createDevice } from 'node-directml';
import { transferData } from './data.mjs';

/** How many transfers of 64 MiB there are in each direction: 1 GiB. */
const transfers = 16;
/** How many sorts there are. Each is in a batch of its own, and needs 16 MiB of temporary memory. */
const sorts = 8;
const rest = 10_000;
const megabyte = 2 ** 20;

/** Returns the bytes of staging memory, temporary resources and descriptor heaps, idle or in use. */
function pooledBytes(/** @type {import('node-directml').Device} */ device) {
  const { staging, temporary, descriptors } = device.memory();
  return [staging, temporary, descriptors].reduce((sum, { inUse, idle }) => sum + inUse + idle, 0);
}

/**
 * Writes, reads and sorts on a device of its own, waits 10 s, and measures what the device still holds.
 * @returns {Promise<Omit<import('./verdict.mjs').Measurement, 'name'>>}
 */
export async function measureMemory() {
  const device = await createDevice({ backend: 'directml' });
  const words = transferData();
  const tensor = device.createTensor({ dataType: 'uint32', sizes: [words.length] });
  for (let i = 0; i < transfers; i++) tensor.write(words);
  const target = new Uint32Array(words.length);
  for (let i = 0; i < transfers; i++) await tensor.readInto(target);
  await sortMuch(device);
  const equal = pooledBytes(device) > 0 && target.every((word, i) => word === words[i]);
  await sleep(rest);
  const kept = pooledBytes(device) / megabyte;
  device.dispose();
  return { ours: 'kept', unit: 'MiB', values: [[kept]], seconds: 0, control: null, limit: 16, equal };
}

async function sortMuch(/** @type {import('node-directml').Device} */ device) {
  const inputTensor = /** @type {const} */ ({ dataType: 'float32', sizes: [1, 1, 1024, 1024] });
  const outputIndexTensor = /** @type {const} */ ({ dataType: 'uint32', sizes: [1, 1, 1024, 4] });
  const values = Float32Array.from({ length: 1024 * 1024 }, (_, i) => (i * 7919) % 1021);
  const compiled = await device.compile({ type: 'topK', inputTensor, outputIndexTensor, axis: 3, k: 4 });
  const bindings = { inputTensor: device.createTensor(inputTensor, values), ...compiled.createOutputs() };
  for (let i = 0; i < sorts; i++) {
    compiled.dispatch(bindings);
    device.submit();
  }
  await device.idle();
}
