/** Buffers that node-directml and another addon share. */
import { createDevice } from 'node-directml';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { expect, test } from 'vitest';
import { deviceOn } from '../support/devices.js';
import { caught, gist } from '../support/errors.js';
import { interop } from '../../checks/interop/addon.js';

const device = deviceOn('directml');
const bytes = (count: number, first = 0) => Uint8Array.from({ length: count }, (_, i) => (first + i * 7) & 255);

test('the other addon reads and writes a buffer of the device', async () => {
  const buffer = device().createBuffer(70);
  const { native } = buffer;
  // New memory is all zeros for the other addon, too.
  expect(interop.readBuffer(native, 0, 70)).toEqual(new Uint8Array(70));
  buffer.write(bytes(70));
  await device().idle();
  expect(interop.readBuffer(native, 0, 70)).toEqual(bytes(70));
  interop.writeBuffer(native, 33, bytes(5, 100));
  expect(new Uint8Array(await buffer.read(33, 5))).toEqual(bytes(5, 100));
});

test('operators compute in a buffer of the other addon', async () => {
  const external = interop.createBuffer(device().native, { size: 1024 });
  interop.writeBuffer(external, 0, new Uint8Array(Float32Array.from({ length: 256 }, (_, i) => i).buffer));
  const buffer = device().importBuffer({ external, label: 'shared' });
  expect([buffer.sizeInBytes, buffer.label]).toEqual([1024, 'shared']);
  const first = device().createTensor({ dataType: 'float32', sizes: [128] }, { buffer });
  const second = device().createTensor({ dataType: 'float32', sizes: [128] }, { buffer, offset: 512 });
  await device().run({ type: 'elementWiseAdd', aTensor: first, bTensor: first, outputTensor: second });
  await device().idle();
  const result = new Float32Array(interop.readBuffer(external, 512, 512).buffer);
  expect([...result]).toEqual(Array.from({ length: 128 }, (_, i) => 2 * i));
});

test('an import can be a part of the memory, and reaches no other bytes', async () => {
  const external = interop.createBuffer(device().native, { size: 256 });
  interop.writeBuffer(external, 0, bytes(256));
  const buffer = device().importBuffer({ external, offset: 48, sizeInBytes: 20 });
  expect(new Uint8Array(await buffer.read())).toEqual(bytes(256).slice(48, 68));
  buffer.write(new Uint8Array(20));
  const filled = device().createTensor({ dataType: 'uint8', sizes: [19] }, { buffer });
  await device().run({ type: 'fillValueConstant', value: 9, valueDataType: 'uint8', outputTensor: filled });
  await device().idle();
  const expected = bytes(256);
  expected.fill(0, 48, 68).fill(9, 48, 67);
  expect(interop.readBuffer(external, 0, 256)).toEqual(expected);
  expect(gist(caught(() => buffer.write(new Uint8Array(21))))[0]).toBe('ERR_OUT_OF_RANGE');
});

test('two imports of the same memory are ordered as one', async () => {
  const external = interop.createBuffer(device().native, { size: 4096 });
  const [first, second] = [device().importBuffer({ external }), device().importBuffer({ external })];
  const a = device().createTensor({ dataType: 'float32', sizes: [1024] }, { buffer: first });
  const b = device().createTensor({ dataType: 'float32', sizes: [1024] }, { buffer: second });
  const sum = device().createTensor({ dataType: 'float32', sizes: [1024] });
  for (let i = 1; i <= 20; i += 1) {
    await device().run({ type: 'fillValueConstant', value: i, valueDataType: 'float32', outputTensor: a });
    await device().run({ type: 'elementWiseAdd', aTensor: b, bTensor: sum, outputTensor: sum });
  }
  expect([...new Set(await sum.read())]).toEqual([210]);
});

test('an own buffer that comes back is the same memory', async () => {
  const buffer = device().createBuffer(64);
  const back = device().importBuffer({ external: buffer.native, offset: 16, sizeInBytes: 16 });
  buffer.write(bytes(64));
  expect(new Uint8Array(await back.read())).toEqual(bytes(64).slice(16, 32));
  buffer.dispose();
  expect(new Uint8Array(await back.read())).toEqual(bytes(64).slice(16, 32));
});

test('imported memory does not count as the device’s, and lives as long as either side needs it', async () => {
  const before = device().memory().buffers;
  let external: unknown = interop.createBuffer(device().native, { size: 1 << 20 });
  interop.writeBuffer(external, 0, bytes(16));
  const buffer = device().importBuffer({ external });
  external = undefined;
  expect(device().memory().buffers).toBe(before);
  globalThis.gc?.();
  expect(new Uint8Array(await buffer.read(0, 16))).toEqual(bytes(16));
  const reading = buffer.read(0, 16);
  buffer.dispose();
  expect(new Uint8Array(await reading)).toEqual(bytes(16));
});

test('an external outlives its device', async () => {
  const own = await createDevice({ backend: 'directml' });
  const buffer = own.createBuffer(64);
  const { native } = buffer;
  buffer.write(bytes(64));
  await own.idle();
  own.dispose();
  expect(interop.readBuffer(native, 0, 64)).toEqual(bytes(64));
  expect(caught(() => own.native).code).toBe('ERR_DISPOSED');
  expect(caught(() => buffer.native).code).toBe('ERR_DISPOSED');
});

test('disposed imports are not counted as alive', () => {
  const count = () => {
    const { buffers, textures, fences } = loadAddon().binding.liveObjects();
    return { buffers, textures, fences };
  };
  const before = count();
  const { native } = device();
  const made = [
    device().importBuffer({ external: interop.createBuffer(native, { size: 64 }) }),
    device().importTexture({ external: interop.createTexture(native, { width: 4, height: 4 }) }),
    device().importFence({ external: interop.createFence(native) }),
  ];
  expect(count()).toEqual({ buffers: before.buffers + 1, textures: before.textures + 1, fences: before.fences + 1 });
  for (const object of made) object.dispose();
  expect(count()).toEqual(before);
});
