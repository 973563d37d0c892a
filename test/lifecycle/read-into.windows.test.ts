/** Reads into memory that a program changes, transfers or forgets before the bytes arrive, on the real DirectML. */
import { createDevice, type Device } from 'node-directml';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rejected } from '../support/errors.js';
import { removeDevice } from '../support/remove-device.js';

const length = 6_000_000;
let device: Device;
beforeEach(async () => {
  device = await createDevice({ backend: 'directml' });
});
afterEach(() => device.dispose());

const filled = (value: number) => device.createTensor({ dataType: 'uint8', sizes: [length] }, new Uint8Array(length).fill(value));

/** TypeScript's library for Node.js 20 does not know resizable buffers. */
const resizable = (size: number): ArrayBuffer => Reflect.construct(ArrayBuffer, [size, { maxByteLength: size }]);

test('a read into memory that is transferred or shrunk before the bytes arrive is an error', async () => {
  const tensor = filled(7);
  const [given, shrunk, kept] = [new Uint8Array(length), new Uint8Array(resizable(length)), new Uint8Array(length)];
  const reads = [given, shrunk].map((array) => rejected(tensor.readInto(array)));
  const last = tensor.readInto(kept);
  const moved = structuredClone(given.buffer, { transfer: [given.buffer] });
  Reflect.apply(Reflect.get(shrunk.buffer, 'resize'), shrunk.buffer, [100]);
  for (const error of await Promise.all(reads)) {
    expect(error.code).toBe('ERR_INVALID_ARGUMENT');
    expect(error.message).toContain('transferred or cut off');
  }
  expect((await last).every((byte) => byte === 7)).toBe(true);
  expect(new Uint8Array(moved).every((byte) => byte === 0)).toBe(true);
});

test('the memory stays alive until the bytes arrive, and staging memory is freed afterwards', async () => {
  const tensor = filled(3);
  const reads = Array.from({ length: 20 }, () => tensor.readInto(new Uint8Array(length)));
  for (const array of await Promise.all(reads)) expect([array[0], array[length - 1]]).toEqual([3, 3]);
  expect(loadAddon().binding.liveObjects().bytesInFlight).toBe(0);
  await vi.waitFor(() => expect(loadAddon().binding.liveObjects().stagingBytes).toBeLessThanOrEqual(4 << 20), 60_000);
});

test('a device that is disposed of with reads in flight fulfills them', async () => {
  const tensor = filled(9);
  const reads = Array.from({ length: 10 }, () => tensor.readInto(new Uint8Array(length)));
  device.dispose();
  for (const array of await Promise.all(reads)) expect(array[length - 1]).toBe(9);
});

test('a lost device rejects its reads', async () => {
  const tensor = filled(9);
  await device.idle();
  const reads = Array.from({ length: 10 }, () =>
    tensor.readInto(new Uint8Array(length)).then(
      () => 'read',
      (error: unknown) => error,
    ),
  );
  removeDevice(device);
  await device.lost;
  for (const result of await Promise.all(reads)) {
    if (result !== 'read') expect(result).toMatchObject({ code: 'ERR_DEVICE_LOST' });
  }
  expect((await rejected(tensor.readInto(new Uint8Array(length)))).code).toBe('ERR_DEVICE_LOST');
});

test('a write that waits for the device and a device that waits for reads do not block each other', async () => {
  const tensor = filled(1);
  const reads = Array.from({ length: 12 }, () => tensor.readInto(new Uint8Array(length)));
  const bytes = new Uint8Array(length).fill(2);
  // More than the uploads that may be in flight: the write blocks until the device has passed the reads before it.
  for (let i = 0; i < 60; i++) tensor.write(bytes);
  for (const array of await Promise.all(reads)) expect(array[length - 1]).toBe(1);
  expect((await tensor.readInto(bytes))[0]).toBe(2);
});
