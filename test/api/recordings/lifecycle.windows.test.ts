/** Recordings on the real DirectML: their command lists in flight, the objects they keep alive, and the loss of their device. */
import { createDevice, type Device, type Tensor } from 'node-directml';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { encodeOperator } from '#lib/backends/directml/encode.js';
import { resolveDescriptor } from '#lib/operators/resolve.js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { NativeDevice } from '../../../binding.js';
import { caught } from '../../support/errors.js';

const { binding, directory } = loadAddon();
const live = () => {
  const { buffers, operators, recordings, temporaryBytes } = binding.liveObjects();
  return { buffers, operators, recordings, temporaryBytes };
};
const size = 1 << 20;
const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;

let device: Device;
beforeEach(async () => {
  device = await createDevice({ backend: 'directml' });
});
afterEach(() => device.dispose());

/** Makes a native device and a recording that adds a vector of ones to `sum`, `times` times. */
async function nativeRecording(times: number) {
  const native = await binding.createDevice({ addonDirectory: directory });
  const descriptor = { type: 'elementWiseAdd1', aTensor: float32(size), bTensor: float32(size) };
  const operator = await native.compileOperator(encodeOperator(resolveDescriptor(descriptor, '6.4').descriptor), 0);
  const [sum, ones] = [native.createBuffer(4 * size), native.createBuffer(4 * size)];
  native.write(ones, 0, new Uint8Array(new Float32Array(size).fill(1).buffer));
  const row = [sum, ones, sum].flatMap(({ number }) => [number, 0, 4 * size]);
  const ranges = Float64Array.from(new Array<typeof row>(times).fill(row).flat());
  const last = async () => new Float32Array((await native.read(sum, 4 * (size - 1), 4)).bytes)[0];
  // Returns `ones` too, so that the caller keeps it alive: a range refers to it only by its number, which ends with the object.
  return {
    native,
    operator,
    sum,
    ones,
    ranges,
    last,
    recording: native.createRecording(new Array(times).fill(operator), ranges),
  };
}

/** Replays faster than the device can execute. Returns the number of command lists after each replay. */
function flood(native: NativeDevice, recording: Parameters<NativeDevice['replay']>[0], times: number): number[] {
  return Array.from({ length: times }, () => native.replay(recording));
}

test('a command list is never executed before its last execution has finished', async () => {
  const { native, recording, last } = await nativeRecording(40);
  expect(native.replay(recording)).toBe(1);
  await native.idle();
  // The first execution has finished, so the same list is reused.
  expect(native.replay(recording)).toBe(1);
  await native.idle();
  const lists = flood(native, recording, 12);
  const most = Math.max(...lists);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(4);
  expect(await last()).toBe(40 * 14);
  expect(native.replay(recording)).toBe(most);
  expect(await last()).toBe(40 * 15);
  native.dispose();
});

test('a recording that is disposed of in flight finishes its work, then frees its objects', async () => {
  const { native, recording, operator, sum, last } = await nativeRecording(50);
  const before = live();
  native.replay(recording);
  native.replay(recording);
  recording.dispose();
  recording.dispose();
  operator.dispose();
  expect(await last()).toBe(100);
  expect(live()).toMatchObject({ recordings: before.recordings - 1, operators: before.operators - 1 });
  sum.dispose();
  native.dispose();
});

test('the addon refuses operators, ranges and recordings that are invalid or of another device', async () => {
  const [own, other] = [await nativeRecording(1), await nativeRecording(1)];
  const codeOf = (call: () => unknown) => {
    try {
      call();
      return 'nothing';
    } catch (error) {
      return error instanceof Error && 'code' in error ? error.code : String(error);
    }
  };
  const raw: Record<'createRecording' | 'replay', (...args: unknown[]) => unknown> = {
    createRecording: (...args) => Reflect.apply(Reflect.get(own.native, 'createRecording'), own.native, args),
    replay: (value) => Reflect.apply(Reflect.get(own.native, 'replay'), own.native, [value]),
  };
  for (const wrong of [undefined, null, 1, 'x', {}, own.operator, [null], [{}], [own.sum]]) {
    const code = codeOf(() => raw.createRecording(wrong, own.ranges));
    expect(code, JSON.stringify(wrong)).toBe('ERR_INVALID_ARGUMENT');
  }
  for (const wrong of [undefined, null, [...own.ranges], own.ranges.with(0, own.sum.number + 1000)]) {
    expect(codeOf(() => raw.createRecording([own.operator], wrong))).toBe('ERR_INVALID_ARGUMENT');
  }
  expect(codeOf(() => raw.createRecording([own.operator], own.ranges.slice(3)))).toBe('ERR_INVALID_BINDING');
  expect(codeOf(() => raw.createRecording([own.operator, own.operator], own.ranges))).toBe('ERR_INVALID_BINDING');
  expect(codeOf(() => raw.createRecording([other.operator], other.ranges))).toBe('ERR_WRONG_DEVICE');
  expect(codeOf(() => raw.createRecording([own.operator], other.ranges))).toBe('ERR_WRONG_DEVICE');
  expect(codeOf(() => raw.createRecording(new Array(65_537).fill(own.operator), own.ranges))).toBe('ERR_INVALID_ARGUMENT');
  for (const wrong of [undefined, {}, own.operator]) expect(codeOf(() => raw.replay(wrong))).toBe('ERR_INVALID_ARGUMENT');
  expect(codeOf(() => raw.replay(other.recording))).toBe('ERR_WRONG_DEVICE');
  own.recording.dispose();
  expect(codeOf(() => raw.replay(own.recording))).toBe('ERR_DISPOSED');
  const disposing = Object.defineProperty([own.operator], 0, {
    get() {
      own.sum.dispose();
      return own.operator;
    },
  });
  expect(codeOf(() => raw.createRecording(disposing, own.ranges))).toBe('ERR_DISPOSED');
  other.native.dispose();
  expect(codeOf(() => other.native.replay(other.recording))).toBe('ERR_DISPOSED');
  own.native.dispose();
});

test('replay and record throw ERR_DEVICE_LOST after the device is lost with replays in flight', async () => {
  const add = await device.compile({ type: 'elementWiseAdd1', aTensor: float32(size), bTensor: float32(size) });
  const [sum, ones]: Tensor[] = [device.createTensor(float32(size)), device.createTensor(float32(size))];
  if (sum === undefined || ones === undefined) throw new Error('two tensors were made');
  const recording = device.record(() => add.dispatch({ aTensor: sum, bTensor: ones, outputTensor: sum }));
  for (let i = 0; i < 3; i++) recording.replay();
  device.simulateLoss();
  await device.lost;
  expect(caught(() => recording.replay()).code).toBe('ERR_DEVICE_LOST');
  expect(caught(() => device.record(() => undefined)).code).toBe('ERR_DEVICE_LOST');
  recording.dispose();
});

test('replays operators that need temporary and persistent memory of several sizes', async () => {
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
  const recording = device.record(() => {
    one.dispatch({ inputTensor: input, ...few });
    many.dispatch({ inputTensor: input, ...rest });
    one.dispatch({ inputTensor: input, ...few });
  });
  recording.replay();
  recording.replay();
  expect((await few.outputValueTensor.read())[63]).toBe(4095);
  expect((await rest.outputValueTensor.read())[999]).toBe(3096);
  recording.dispose();
  for (const tensor of [input, ...Object.values(few), ...Object.values(rest)]) tensor.dispose();
  await device.idle();
  // The recording no longer holds the temporary memory, so the pools free it after a while.
  await vi.waitFor(() => expect(live().temporaryBytes).toBeLessThanOrEqual(1 << 20), 60_000);
});
