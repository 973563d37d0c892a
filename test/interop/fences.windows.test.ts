/** The order of work between node-directml and another addon. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createDevice } from 'node-directml';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { expect, test, vi } from 'vitest';
import { deviceOn } from '../support/devices.js';
import { caught, rejected } from '../support/errors.js';
import { interop, makeTexture } from '../../checks/interop/addon.js';

const device = deviceOn('directml');
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test('work waits for the other addon, and the JavaScript thread does not', async () => {
  const { external, texture } = makeTexture(device(), 'r8unorm', 64, 64, new Uint8Array(4096));
  const tensor = device().createTensor({ dataType: 'uint8', sizes: [64, 64] });
  const copy = await texture.prepareCopyTo(tensor);
  const fence = interop.createFence(device().native);
  const imported = device().importFence({ external: fence });
  for (let frame = 1n; frame <= 20n; frame += 1n) {
    device().waitFor(imported, 2n * frame - 1n);
    copy.dispatch();
    device().signal(imported, 2n * frame);
    const reading = tensor.read();
    await pause(2);
    // The consumer is submitted, and only now the other addon makes the frame.
    expect(interop.fenceValue(fence)).toBe(2n * frame - 2n);
    interop.writeTexture(external, new Uint8Array(4096).fill(Number(frame)));
    interop.signalFence(fence, 2n * frame - 1n);
    expect(new Set(await reading)).toEqual(new Set([Number(frame)]));
    expect(imported.value).toBe(2n * frame);
  }
});

test('a signal comes after the work before it', async () => {
  const fence = device().importFence({ external: interop.createFence(device().native), label: 'done' });
  const a = device().createTensor({ dataType: 'float32', sizes: [256, 256] });
  for (let i = 0; i < 20; i += 1) await device().run({ type: 'gemm', aTensor: a, bTensor: a });
  device().signal(fence, 1n);
  await vi.waitFor(() => expect(fence.value).toBe(1n), 60_000);
  expect(String(fence)).toBe(`DirectMLFence 'done'`);
});

test('a fence of the device itself never blocks it', async () => {
  const fence = device().importFence({ external: interop.createFence(device().native) });
  const sum = device().createTensor({ dataType: 'float32', sizes: [2] }, [1, 2]);
  const double = await device().prepare({ type: 'elementWiseAdd', aTensor: sum, bTensor: sum, outputTensor: sum });
  device().signal(fence, 5n);
  device().waitFor(fence, 5n);
  double.dispatch();
  expect([...(await sum.read())]).toEqual([2, 4]);
  expect(fence.value).toBe(5n);
  // A wait for a value that the fence has passed.
  device().waitFor(fence, 3n);
  double.dispatch();
  device().signal(fence, 6n);
  device().waitFor(fence, 6n);
  double.dispatch();
  expect([...(await sum.read())]).toEqual([8, 16]);
  expect(fence.value).toBe(6n);
});

test('wrong values are refused', async () => {
  const external = interop.createFence(device().native);
  const fence = device().importFence({ external });
  for (const value of [0n, -1n, 2n ** 64n - 1n, 2n ** 64n, 2n ** 70n]) {
    expect(caught(() => device().waitFor(fence, value))).toMatchObject({ code: 'ERR_INVALID_ARGUMENT', field: 'value' });
    expect(caught(() => device().signal(fence, value))).toMatchObject({ code: 'ERR_INVALID_ARGUMENT', field: 'value' });
  }
  for (const value of [1, '1', undefined, null]) {
    expect(caught(() => Reflect.apply(device().waitFor, device(), [fence, value])).code).toBe('ERR_INVALID_ARGUMENT');
  }
  for (const wrong of [undefined, {}, external, device()]) {
    expect(caught(() => Reflect.apply(device().waitFor, device(), [wrong, 1n])).code).toBe('ERR_INVALID_ARGUMENT');
  }
  device().signal(fence, 7n);
  expect(caught(() => device().signal(fence, 7n))).toMatchObject({ code: 'ERR_INVALID_ARGUMENT', field: 'value' });
  // The same fence, imported again.
  const again = device().importFence({ external });
  expect(caught(() => device().signal(again, 6n))).toMatchObject({ code: 'ERR_INVALID_ARGUMENT', field: 'value' });
  // If the queue signalled 7 after the 100 below, it would take the fence back to 7.
  await vi.waitFor(() => expect(fence.value).toBe(7n), 60_000);
  interop.signalFence(external, 100n);
  expect(caught(() => device().signal(fence, 100n)).code).toBe('ERR_INVALID_ARGUMENT');
  expect(caught(() => device().record(() => device().signal(fence, 200n))).code).toBe('ERR_NOT_RECORDABLE');
  fence.dispose();
  expect(caught(() => device().signal(fence, 200n)).code).toBe('ERR_DISPOSED');
  expect(caught(() => fence.value).code).toBe('ERR_DISPOSED');
});

test('a fence of another device is refused', async () => {
  using other = await createDevice({ backend: 'directml' });
  const fence = other.importFence({ external: interop.createFence(other.native) });
  expect(caught(() => device().waitFor(fence, 1n)).code).toBe('ERR_WRONG_DEVICE');
});

test('the end of a device ends what waits for a signal that never comes', async () => {
  const { binding } = loadAddon();
  const own = await createDevice({ backend: 'directml' });
  const external = interop.createFence(own.native);
  const fence = own.importFence({ external });
  const tensor = own.createTensor({ dataType: 'float32', sizes: [1024] });
  const target = new Float32Array(1024);
  own.waitFor(fence, 1n);
  const waiting = [tensor.read(), tensor.readInto(target), own.idle()];
  await pause(20);
  own.dispose();
  for (const promise of waiting) expect((await rejected(promise)).code).toBe('ERR_DISPOSED');
  // The work that may still run keeps its memory, and the device goes once the signal has come after all.
  const { devices } = binding.liveObjects();
  interop.signalFence(external, 1n);
  await vi.waitFor(() => expect(binding.liveObjects().devices).toBe(devices - 1), 60_000);
});

test.each(['waiting', 'disposed', 'lost'])('a process that ends while its device is %s exits', async (stage) => {
  const program = fileURLToPath(new URL('programs/lost-wait.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, stage], { stdio: 'ignore' });
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('exit', resolve));
  expect(code).toBe(42);
});
