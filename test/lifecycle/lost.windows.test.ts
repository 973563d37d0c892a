/** A removed device: pending calls reject, later calls are refused, and a new device works. */
import { createDevice, type Device } from 'node-directml';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { expect, test } from 'vitest';
import { rejected } from '../support/errors.js';
import { removeDevice } from '../support/remove-device.js';

const tensor = { dataType: 'float32', sizes: [4] } as const;

async function fillOn(device: Device, value: number): Promise<number[]> {
  const output = device.createTensor(tensor);
  const fill = await device.compile({
    type: 'fillValueConstant',
    outputTensor: tensor,
    valueDataType: 'float32',
    value,
  });
  fill.dispatch({ outputTensor: output });
  return Array.from(await output.read(), Number);
}

test('a removed device resolves lost and refuses all calls, and a new device works', async () => {
  const before = loadAddon().binding.liveObjects();
  const device = await createDevice({ backend: 'directml' });
  const output = device.createTensor(tensor);
  expect(await fillOn(device, 1)).toEqual([1, 1, 1, 1]);

  // Pending and later calls reject with the package's typed errors, and not with the addon's, which have the same codes.
  const aTensor = device.createTensor({ dataType: 'float32', sizes: [512, 512] });
  const { outputTensor: product } = await device.run({ type: 'gemm', aTensor, bTensor: aTensor });
  const waiting = [product.read(), product.readInto(new Float32Array(2 ** 18)), device.idle()];
  removeDevice(device);
  const calls = [...waiting, output.read(), output.readInto(new Float32Array(4)), device.idle(), fillOn(device, 2)];
  for (const error of await Promise.all(calls.map(rejected))) expect(error.code).toBe('ERR_DEVICE_LOST');
  expect(await device.lost).toMatchObject({ reason: 'unknown' });
  expect(() => device.createBuffer(16)).toThrow(expect.objectContaining({ code: 'ERR_DEVICE_LOST' }));
  expect(() => output.write(new Float32Array(4))).toThrow(expect.objectContaining({ code: 'ERR_DEVICE_LOST' }));
  await expect(fillOn(device, 2)).rejects.toMatchObject({ code: 'ERR_DEVICE_LOST' });
  await expect(device.idle()).rejects.toMatchObject({ code: 'ERR_DEVICE_LOST' });
  for (const each of [output, aTensor, product]) each.dispose();
  device.dispose();
  expect(() => device.createBuffer(16)).toThrow(expect.objectContaining({ code: 'ERR_DISPOSED' }));

  const next = await createDevice({ backend: 'directml' });
  expect(await fillOn(next, 3)).toEqual([3, 3, 3, 3]);
  next.dispose();
  expect(loadAddon().binding.liveObjects()).toEqual(before);
});

test('a device that is removed while it is idle resolves lost', async () => {
  const device = await createDevice({ backend: 'directml' });
  expect(await fillOn(device, 1)).toEqual([1, 1, 1, 1]);
  device.simulateLoss();
  expect(await device.lost).toMatchObject({ reason: 'unknown', message: expect.stringContaining('DXGI_ERROR_DEVICE_REMOVED') });
  device.dispose();
});

test('dispose() resolves lost with "destroyed" and frees everything', async () => {
  const before = loadAddon().binding.liveObjects();
  const device = await createDevice({ backend: 'directml' });
  expect(await fillOn(device, 5)).toEqual([5, 5, 5, 5]);
  expect(loadAddon().binding.liveObjects()).toMatchObject({
    devices: before.devices + 1,
    buffers: before.buffers + 1,
    operators: before.operators + 1,
  });
  device.dispose();
  expect(await device.lost).toMatchObject({ reason: 'destroyed' });
  expect(loadAddon().binding.liveObjects()).toEqual(before);
});
