/** A new buffer may have the addon's object, and the memory, of a buffer that was disposed of. Nobody but itself reaches either. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDevice, type Device } from 'node-directml';
import type { NativeDevice } from '../../../binding.js';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { DirectMLBufferHandle, type SpareBuffers } from '#lib/backends/directml/buffer-handle.js';
import { attempt } from '#lib/backends/directml/native-error.js';
import { caught, rejected } from '../../support/errors.js';

const desc = { dataType: 'float32', sizes: [4] } as const;
const ones = Float32Array.of(1, 1, 1, 1);
const { binding, directory } = loadAddon();
let native: NativeDevice;
let device: Device;

beforeAll(async () => {
  native = await binding.createDevice({ addonDirectory: directory });
  device = await createDevice({ backend: 'directml' });
});
afterAll(() => {
  native.dispose();
  device.dispose();
});

test('a buffer takes the object of a disposed one of its size, which reads zeros and can be disposed of again', async () => {
  const spare: SpareBuffers = [];
  const create = (size: number) => DirectMLBufferHandle.create(native, size, spare);
  const [small, large] = [create(16), create(32)];
  const objects = [small.native, large.native];
  native.write(small.native, 0, new Uint8Array(16).fill(1));
  const { buffers } = binding.liveObjects();
  small.dispose();
  small.dispose();
  large.dispose();
  expect([spare, binding.liveObjects().buffers]).toEqual([objects, buffers - 2]);
  expect(caught(() => small.native).code).toBe('ERR_DISPOSED');
  const again = create(16);
  expect([again.native === objects[0], spare, binding.liveObjects().buffers]).toEqual([true, objects.slice(1), buffers - 1]);
  expect(new Uint8Array((await native.read(again.native, 0, 16)).bytes)).toEqual(new Uint8Array(16));
  small.dispose();
  expect(again.native.sizeInBytes).toBe(16);
  again.dispose();
  expect(spare).toHaveLength(2);
});

test('the addon gives memory to disposed buffers of open devices only', async () => {
  const buffer = native.createBuffer(16);
  expect(caught(() => attempt(() => buffer.renew()))).toMatchObject({ code: 'ERR_INVALID_ARGUMENT', field: 'this' });
  const closed = await binding.createDevice({ addonDirectory: directory });
  const late = closed.createBuffer(16);
  late.dispose();
  closed.dispose();
  expect(caught(() => attempt(() => late.renew())).code).toBe('ERR_DISPOSED');
});

test('whoever has used a disposed tensor does not reach the tensor that has its object', async () => {
  const gone = device.createTensor(desc, ones);
  const output = device.createTensor(desc);
  const operator = await device.compile({ type: 'activationIdentity', inputTensor: desc, outputTensor: desc });
  const into = device.record(() => operator.dispatch({ inputTensor: output, outputTensor: gone }));
  const graph = device.createGraph();
  const { outputTensor: sum } = graph.add({
    type: 'elementWiseAdd',
    aTensor: graph.input('x', desc),
    bTensor: graph.constant(gone),
  });
  const net = await graph.compile({ sum });
  gone.dispose();
  const taken = device.createTensor(desc, Float32Array.of(2, 3, 4, 5));
  const calls = [
    () => into.replay(),
    () => operator.dispatch({ inputTensor: output, outputTensor: gone }),
    () => net.dispatch({ x: taken, sum: output }),
    () => gone.write(ones),
  ];
  for (const call of calls) expect(caught(call).code).toBe('ERR_DISPOSED');
  expect((await rejected(gone.read())).code).toBe('ERR_DISPOSED');
  gone.dispose();
  expect([...(await taken.read())]).toEqual([2, 3, 4, 5]);
  for (const object of [taken, output, operator, net, into]) object.dispose();
});
