/** Nothing is lost: ten thousand rounds of create, dispatch, read and dispose. */
import { createDevice } from 'node-directml';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { expect, test } from 'vitest';

const ROUNDS = 10_000;
const MEBIBYTE = 2 ** 20;

test('10,000 rounds end with the live objects and the memory they began with', async () => {
  const device = await createDevice({ backend: 'directml' });
  const tensor = { dataType: 'float32', sizes: [1, 256] } as const;
  const round = async (value: number) => {
    const input = device.createTensor(tensor, new Float32Array(256).fill(value));
    const output = device.createTensor(tensor);
    const identity = await device.compile({ type: 'elementWiseIdentity', inputTensor: tensor, outputTensor: tensor });
    identity.dispatch({ inputTensor: input, outputTensor: output });
    const values = await output.read();
    for (const disposable of [identity, input, output]) disposable.dispose();
    return values[255];
  };

  // The pools and the heap take their size first.
  for (let i = 0; i < 500; i++) await round(i);
  const before = loadAddon().binding.liveObjects();
  const residentBefore = process.memoryUsage.rss();
  for (let i = 0; i < ROUNDS; i++) expect(await round(i)).toBe(i);
  expect(loadAddon().binding.liveObjects()).toEqual(before);
  expect((process.memoryUsage.rss() - residentBefore) / MEBIBYTE).toBeLessThan(48);
  device.dispose();
}, 600_000);
