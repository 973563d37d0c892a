/** Checks that the GPU times of the real DirectML are plausible, and that a profile frees everything it allocates. */
import { createDevice, type Device } from 'node-directml';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { drawn } from '../../support/level.js';
import { rejected } from '../../support/errors.js';
import { removeDevice } from '../../support/remove-device.js';

const { binding, directory } = loadAddon();
const live = binding.liveObjects;
const PROFILED = drawn({ quick: 30_000, all: 100_000 });
const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;

let device: Device;
beforeEach(async () => {
  device = await createDevice({ backend: 'directml' });
});
afterEach(async () => {
  device.dispose();
  await vi.waitFor(() => expect(live()).toMatchObject({ devices: 0, pooledBytes: 0, bytesInFlight: 0 }), 60_000);
});

/** Compiles a matrix product, which takes a software GPU milliseconds, and an addition, which takes it almost no time. */
async function work() {
  const [large, small] = [float32(256, 256), float32(5)];
  const gemm = await device.compile({ type: 'gemm', aTensor: large, bTensor: large }, { label: 'large' });
  const add = await device.compile({ type: 'elementWiseAdd1', aTensor: small, bTensor: small }, { label: 'small' });
  const a = device.createTensor(large, new Float32Array(256 * 256).fill(1 / 16));
  const [sum, step] = [device.createTensor(small), device.createTensor(small, [1, 2, 3, 4, 5])];
  const product = gemm.createOutputs();
  return {
    sum,
    multiply: () => gemm.dispatch({ aTensor: a, bTensor: a, ...product }),
    increment: () => add.dispatch({ aTensor: sum, bTensor: step, outputTensor: sum }),
  };
}

const sumOf = (dispatches: readonly { readonly gpuMs: number | null }[]) =>
  dispatches.reduce((sum, { gpuMs }) => sum + (gpuMs ?? NaN), 0);

const profiles = 5;

/** Checks the GPU time in several profiles of the same work. In one of them, a busy machine should not delay the rest too much. */
async function expectPlausible(dispatches: number, run: () => void): Promise<void> {
  const shares: number[] = [];
  for (let i = 0; i < profiles; i++) {
    const { dispatchCount, gpuMs, wallMs } = await device.profile(run);
    expect(dispatchCount).toBe(dispatches);
    shares.push((gpuMs ?? NaN) / wallMs);
  }
  expect(Math.max(...shares)).toBeGreaterThan(0.3);
  expect(Math.max(...shares)).toBeLessThanOrEqual(1.1);
}

test('the GPU time of large work is at least 0.3 and at most 1.1 times its wall time', async () => {
  const { multiply } = await work();
  await expectPlausible(10, () => {
    for (let i = 0; i < 10; i++) multiply();
  });
});

test('rejects if the device is lost while the function waits for something else', async () => {
  const { increment } = await work();
  const profile = device.profile(() => {
    increment();
    removeDevice(device);
    return new Promise(() => {});
  });
  expect((await rejected(profile)).code).toBe('ERR_DEVICE_LOST');
});

test('the GPU time excludes the time in which the function only waits', async () => {
  const { increment } = await work();
  const { gpuMs, wallMs } = await device.profile(async () => {
    increment();
    await new Promise((resolve) => setTimeout(resolve, 300));
    increment();
  });
  expect(gpuMs).toBeGreaterThan(0);
  expect(gpuMs).toBeLessThan(0.5 * wallMs);
});

test('measures each dispatch by itself, without the writes and reads around it', async () => {
  const { multiply, increment, sum } = await work();
  const large = device.createTensor(float32(1 << 20));
  const bytes = new Float32Array(1 << 20);
  /** The shortest time of each dispatch in several profiles, because a busy machine interrupts a software GPU. */
  let least = [Infinity, Infinity, Infinity, Infinity];
  for (let round = 0; round < 5; round++) {
    const { dispatches, gpuMs, wallMs } = await device.profile(
      async () => {
        increment();
        large.write(bytes);
        increment();
        multiply();
        await sum.read();
        large.write(bytes);
        increment();
      },
      { perDispatch: true },
    );
    expect(dispatches.map(({ operator, label }) => `${operator} ${label}`)).toEqual([
      'elementWiseAdd1 small',
      'elementWiseAdd1 small',
      'gemm large',
      'elementWiseAdd1 small',
    ]);
    for (const { gpuMs: time } of dispatches) expect(time).toBeGreaterThan(0);
    expect(sumOf(dispatches)).toBeLessThanOrEqual(gpuMs ?? NaN);
    expect(gpuMs).toBeLessThanOrEqual(1.1 * wallMs);
    least = least.map((time, i) => Math.min(time, dispatches[i]?.gpuMs ?? NaN));
  }
  const [, second = NaN, product = NaN, last = NaN] = least;
  expect(product).toBeGreaterThan(second);
  expect(product).toBeGreaterThan(last);
});

test('measures replayed recordings as a whole and per dispatch', async () => {
  const { multiply, increment, sum } = await work();
  const recording = device.record(() => {
    for (let i = 0; i < 20; i++) increment();
    multiply();
  });
  const replays = () => {
    for (let i = 0; i < 9; i++) recording.replay();
  };
  await expectPlausible(9 * 21, replays);
  const single = await device.profile(replays, { perDispatch: true });
  expect(single.dispatches.map(({ operator }) => operator)).toEqual(
    Array.from({ length: 9 * 21 }, (_, i) => (i % 21 === 20 ? 'gemm' : 'elementWiseAdd1')),
  );
  expect(sumOf(single.dispatches)).toBeLessThanOrEqual((single.gpuMs ?? NaN) * 1.001);
  const increments = (profiles + 1) * 9 * 20;
  expect(await sum.read()).toEqual(Float32Array.from([1, 2, 3, 4, 5], (step) => step * increments));
});

test('omits the dispatches with which a graph computes its own constants', async () => {
  const { increment } = await work();
  const { dispatches } = await device.profile(
    async () => {
      increment();
      const graph = device.createGraph();
      const { outputTensor: y } = graph.add({
        type: 'fillValueSequence',
        outputTensor: float32(4),
        valueDataType: 'float32',
        valueStart: 1,
        valueDelta: 2,
      });
      const net = await graph.compile({ y }, { label: 'sequence' });
      const outputs = net.createOutputs();
      net.dispatch(outputs);
      expect(await outputs.y.read()).toEqual(Float32Array.of(1, 3, 5, 7));
      increment();
    },
    { perDispatch: true },
  );
  expect(dispatches.map(({ label }) => label)).toEqual(['small', 'sequence', 'small']);
});

test(`profiles ${PROFILED} dispatches within 2 MiB of staging memory`, async () => {
  const { increment, sum } = await work();
  increment();
  await sum.read();
  const { stagingBytes } = live();
  let most = 0;
  const { dispatches, gpuMs, wallMs } = await device.profile(
    () => {
      for (let i = 0; i < PROFILED; i++) {
        increment();
        if (i % 1000 === 0) most = Math.max(most, live().stagingBytes - stagingBytes);
      }
    },
    { perDispatch: true },
  );
  expect(dispatches).toHaveLength(PROFILED);
  expect(sumOf(dispatches)).toBeGreaterThan(0);
  expect(gpuMs).toBeLessThanOrEqual(1.1 * wallMs);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(2 * 2 ** 20);
  expect((await sum.read())[0]).toBe(PROFILED + 1);
  // The memory of the timestamps is freed with the profile.
  expect(live().stagingBytes).toBeLessThanOrEqual(stagingBytes);
});

test('profiles leave no memory behind, however they end', async () => {
  const { increment, multiply } = await work();
  const recording = device.record(increment);
  // Makes the allocations that happen only on first use.
  recording.replay();
  multiply();
  await device.idle();
  const before = live();
  for (const perDispatch of [false, true]) {
    for (let i = 0; i < 20; i++) {
      await device.profile(
        () => {
          increment();
          recording.replay();
          multiply();
        },
        { perDispatch },
      );
      const fails = () => {
        increment();
        throw new Error('mine');
      };
      await expect(device.profile(fails, { perDispatch })).rejects.toThrow('mine');
    }
  }
  await device.idle();
  const { stagingBytes, buffers, operators, recordings } = live();
  expect({ stagingBytes, buffers, operators, recordings }).toEqual({
    stagingBytes: before.stagingBytes,
    buffers: before.buffers,
    operators: before.operators,
    recordings: before.recordings,
  });
});

test.each([false, true])('a device that is lost in a profile rejects it (perDispatch: %s)', async (perDispatch) => {
  const { multiply } = await work();
  const inside = device.profile(
    () => {
      multiply();
      removeDevice(device);
      multiply();
    },
    { perDispatch },
  );
  expect((await rejected(inside)).code).toBe('ERR_DEVICE_LOST');
  expect((await rejected(device.profile(multiply, { perDispatch }))).code).toBe('ERR_DEVICE_LOST');
});

test('a device that is lost while a profile waits for its end rejects it', async () => {
  const { multiply } = await work();
  const profile = device.profile(() => {
    for (let i = 0; i < 40; i++) multiply();
    setImmediate(() => removeDevice(device));
  });
  expect((await rejected(profile)).code).toBe('ERR_DEVICE_LOST');
});

test('the addon refuses to start a second profile, and to end one that was not started', async () => {
  const native = await binding.createDevice({ addonDirectory: directory });
  const code = (call: () => unknown) => {
    try {
      call();
    } catch (error) {
      return Object(error).code;
    }
    return null;
  };
  expect(code(() => native.endProfile())).toBe('ERR_INVALID_ARGUMENT');
  expect(native.startProfile()).toBe(true);
  expect(code(() => native.startProfile())).toBe('ERR_INVALID_ARGUMENT');
  const { total, dispatches } = await native.endProfile();
  expect([total, dispatches.byteLength]).toEqual([0, 0]);
  expect(code(() => native.endProfile())).toBe('ERR_INVALID_ARGUMENT');
  native.startProfile();
  native.dispose();
  expect(code(() => native.startProfile())).toBe('ERR_DISPOSED');
});
