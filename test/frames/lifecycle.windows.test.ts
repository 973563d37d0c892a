/** Frames on the real DirectML: their command lists in flight, what they hold, and the loss of their device. */
import { createDevice, type Device, type Tensor } from 'node-directml';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { encodeOperator } from '#lib/backends/directml/encode.js';
import { resolveDescriptor } from '#lib/validation/index.js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { NativeDevice } from '../../binding.js';
import { caught } from '../support/errors.js';
import { removeDevice } from '../support/remove-device.js';

const { binding, directory } = loadAddon();
const live = () => {
  const { buffers, operators, frames, temporaryBytes } = binding.liveObjects();
  return { buffers, operators, frames, temporaryBytes };
};
const size = 1 << 20;
const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;

let device: Device;
beforeEach(async () => {
  device = await createDevice({ backend: 'directml' });
});
afterEach(() => device.dispose());

/** A native device with a frame that adds a vector of ones to a vector `times` times. */
async function nativeFrame(times: number) {
  const native = await binding.createDevice({ addonDirectory: directory });
  const descriptor = { type: 'elementWiseAdd1', aTensor: float32(size), bTensor: float32(size) };
  const operator = await native.compileOperator(encodeOperator(resolveDescriptor(descriptor, '6.4').descriptor), 0);
  const [sum, ones] = [native.createBuffer(4 * size), native.createBuffer(4 * size)];
  native.write(ones, 0, new Uint8Array(new Float32Array(size).fill(1).buffer));
  const row = [sum, ones, sum].flatMap(({ number }) => [number, 0, 4 * size]);
  const ranges = Float64Array.from(new Array<typeof row>(times).fill(row).flat());
  const last = async () => new Float32Array((await native.read(sum, 4 * (size - 1), 4)).bytes)[0];
  // The caller holds `ones`, too: a range names it only by its number, which ends with the object.
  return { native, operator, sum, ones, ranges, last, frame: native.createFrame(new Array(times).fill(operator), ranges) };
}

/** Replays until the device cannot keep up. Returns the numbers of command lists after each replay. */
function flood(native: NativeDevice, frame: Parameters<NativeDevice['replay']>[0], times: number): number[] {
  return Array.from({ length: times }, () => native.replay(frame));
}

test('a command list is never executed before its last execution has finished', async () => {
  const { native, frame, last } = await nativeFrame(40);
  expect(native.replay(frame)).toBe(1);
  await native.idle();
  // Finished: the same list again.
  expect(native.replay(frame)).toBe(1);
  await native.idle();
  const lists = flood(native, frame, 12);
  const most = Math.max(...lists);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(4);
  expect(await last()).toBe(40 * 14);
  expect(native.replay(frame)).toBe(most);
  expect(await last()).toBe(40 * 15);
  native.dispose();
});

test('a frame that is disposed in flight ends its work, and then frees what it holds', async () => {
  const { native, frame, operator, sum, last } = await nativeFrame(50);
  const before = live();
  native.replay(frame);
  native.replay(frame);
  frame.dispose();
  frame.dispose();
  operator.dispose();
  expect(await last()).toBe(100);
  expect(live()).toMatchObject({ frames: before.frames - 1, operators: before.operators - 1 });
  sum.dispose();
  native.dispose();
});

test('the addon refuses what is no frame of the device', async () => {
  const [own, other] = [await nativeFrame(1), await nativeFrame(1)];
  const codeOf = (call: () => unknown) => {
    try {
      call();
      return 'nothing';
    } catch (error) {
      return error instanceof Error && 'code' in error ? error.code : String(error);
    }
  };
  const raw: Record<'createFrame' | 'replay', (...args: unknown[]) => unknown> = {
    createFrame: (...args) => Reflect.apply(Reflect.get(own.native, 'createFrame'), own.native, args),
    replay: (value) => Reflect.apply(Reflect.get(own.native, 'replay'), own.native, [value]),
  };
  for (const wrong of [undefined, null, 1, 'x', {}, own.operator, [null], [{}], [own.sum]]) {
    const code = codeOf(() => raw.createFrame(wrong, own.ranges));
    expect(code, JSON.stringify(wrong)).toBe('ERR_INVALID_ARGUMENT');
  }
  for (const wrong of [undefined, null, [...own.ranges], own.ranges.with(0, own.sum.number + 1000)]) {
    expect(codeOf(() => raw.createFrame([own.operator], wrong))).toBe('ERR_INVALID_ARGUMENT');
  }
  expect(codeOf(() => raw.createFrame([own.operator], own.ranges.slice(3)))).toBe('ERR_INVALID_BINDING');
  expect(codeOf(() => raw.createFrame([own.operator, own.operator], own.ranges))).toBe('ERR_INVALID_BINDING');
  expect(codeOf(() => raw.createFrame([other.operator], other.ranges))).toBe('ERR_WRONG_DEVICE');
  expect(codeOf(() => raw.createFrame([own.operator], other.ranges))).toBe('ERR_WRONG_DEVICE');
  expect(codeOf(() => raw.createFrame(new Array(65_537).fill(own.operator), own.ranges))).toBe('ERR_INVALID_ARGUMENT');
  for (const wrong of [undefined, {}, own.operator]) expect(codeOf(() => raw.replay(wrong))).toBe('ERR_INVALID_ARGUMENT');
  expect(codeOf(() => raw.replay(other.frame))).toBe('ERR_WRONG_DEVICE');
  own.frame.dispose();
  expect(codeOf(() => raw.replay(own.frame))).toBe('ERR_DISPOSED');
  const disposing = Object.defineProperty([own.operator], 0, {
    get() {
      own.sum.dispose();
      return own.operator;
    },
  });
  expect(codeOf(() => raw.createFrame(disposing, own.ranges))).toBe('ERR_DISPOSED');
  other.native.dispose();
  expect(codeOf(() => other.native.replay(other.frame))).toBe('ERR_DISPOSED');
  own.native.dispose();
});

test('a lost device, with replays in flight', async () => {
  const add = await device.compile({ type: 'elementWiseAdd1', aTensor: float32(size), bTensor: float32(size) });
  const [sum, ones]: Tensor[] = [device.createTensor(float32(size)), device.createTensor(float32(size))];
  if (sum === undefined || ones === undefined) throw new Error('two tensors were made');
  const frame = device.record(() => add.dispatch({ aTensor: sum, bTensor: ones, outputTensor: sum }));
  for (let i = 0; i < 3; i++) frame.replay();
  removeDevice(device);
  await device.lost;
  expect(caught(() => frame.replay()).code).toBe('ERR_DEVICE_LOST');
  expect(caught(() => device.record(() => undefined)).code).toBe('ERR_DEVICE_LOST');
  frame.dispose();
});

test('operators with temporary and persistent memory of several sizes', async () => {
  const large = { dataType: 'float32', sizes: [1, 1, 64, 4096] } as const;
  const indices = (k: number) => ({ dataType: 'uint32', sizes: [1, 1, 64, k] }) as const;
  const topK = (k: number) => ({ type: 'topK', inputTensor: large, outputIndexTensor: indices(k), axis: 3, k }) as const;
  const [one, many] = [await device.compile(topK(1)), await device.compile(topK(1000))];
  const input = device.createTensor(
    large,
    Float32Array.from({ length: 64 * 4096 }, (_, i) => (i * 7919) % 4096),
  );
  const outputs = (k: number) => ({
    outputValueTensor: device.createTensor(float32(1, 1, 64, k)),
    outputIndexTensor: device.createTensor(indices(k)),
  });
  const [few, rest] = [outputs(1), outputs(1000)];
  const frame = device.record(() => {
    one.dispatch({ inputTensor: input, ...few });
    many.dispatch({ inputTensor: input, ...rest });
    one.dispatch({ inputTensor: input, ...few });
  });
  frame.replay();
  frame.replay();
  expect((await few.outputValueTensor.read())[63]).toBe(4095);
  expect((await rest.outputValueTensor.read())[999]).toBe(3096);
  frame.dispose();
  for (const tensor of [input, ...Object.values(few), ...Object.values(rest)]) tensor.dispose();
  await device.idle();
  // The pools drop the temporary after a while, since the frame no longer holds it.
  await vi.waitFor(() => expect(live().temporaryBytes).toBeLessThanOrEqual(1 << 20), 60_000);
});
