// @ts-check
// The benchmark's rows about transfers between JavaScript and the device.
import { transferData } from './data.mjs';

/** @typedef {import('node-directml').Device} Device */
/** @typedef {import('./rounds.mjs').Work} Work */

/** @returns {Promise<Work>} */
export async function uploadWork(/** @type {Device} */ device) {
  const words = transferData();
  const tensor = device.createTensor({ dataType: 'uint32', sizes: [words.length] });
  return {
    async run() {
      tensor.write(words);
      await device.idle();
    },
    result: () => tensor.read(),
  };
}

/** @returns {Promise<Work>} */
export async function readbackWork(/** @type {Device} */ device) {
  const words = transferData();
  const tensor = device.createTensor({ dataType: 'uint32', sizes: [words.length] }, words);
  await device.idle();
  /** @type {ArrayBufferView} */
  let result = words;
  return {
    async run() {
      result = await tensor.read();
    },
    result: async () => result,
  };
}

/** @returns {Promise<Work>} */
export async function readIntoWork(/** @type {Device} */ device) {
  const words = transferData();
  const tensor = device.createTensor({ dataType: 'uint32', sizes: [words.length] }, words);
  await device.idle();
  const target = new Uint32Array(words.length);
  return {
    async run() {
      await tensor.readInto(target);
    },
    result: () => Promise.resolve(target),
  };
}
