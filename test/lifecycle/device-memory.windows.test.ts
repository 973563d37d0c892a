/** `device.memory()` reports the memory that the device uses, and `device.onBudgetShrink` that Windows wants it to use less. */
import { createDevice, type Device, type DeviceMemory } from 'node-directml';
import { DirectMLBackend } from '#lib/backends/directml/index.js';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { backendOf } from '#lib/api/device-internals.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { caught } from '../support/errors.js';
import { untyped } from '../../checks/malformed/objects.js';

const MEBIBYTE = 2 ** 20;
const live = loadAddon().binding.liveObjects;
const sum = ({ inUse, idle }: { inUse: number; idle: number }) => inUse + idle;

let device: Device;
beforeEach(async () => {
  device = await createDevice({ backend: 'directml' });
});
afterEach(async () => {
  device.dispose();
  await vi.waitFor(
    () => expect(live()).toMatchObject({ devices: 0, bufferBytes: 0, persistentBytes: 0, pooledBytes: 0 }),
    10_000,
  );
});

/** An operator that needs temporary memory. */
function sortOf<Size extends number>(inputTensor: { readonly dataType: 'float32'; readonly sizes: readonly [Size] }) {
  const outputIndexTensor = { dataType: 'uint32', sizes: inputTensor.sizes } as const;
  return { type: 'topK', inputTensor, outputIndexTensor, axis: 0, k: inputTensor.sizes[0] } as const;
}

function expectSumsOf(memory: DeviceMemory): void {
  expect({
    bufferBytes: memory.buffers,
    persistentBytes: memory.persistent,
    temporaryBytes: sum(memory.temporary),
    stagingBytes: sum(memory.staging),
    descriptorBytes: sum(memory.descriptors),
  }).toEqual(pick(live()));
}

function pick(objects: ReturnType<typeof live>) {
  const { bufferBytes, persistentBytes, temporaryBytes, stagingBytes, descriptorBytes } = objects;
  return { bufferBytes, persistentBytes, temporaryBytes, stagingBytes, descriptorBytes };
}

describe('the memory of a device', () => {
  test('a new device uses none, on an adapter with a budget', async () => {
    const memory = device.memory();
    expect(memory.buffers + memory.persistent + sum(memory.temporary) + sum(memory.staging)).toBe(0);
    expect(memory.adapter?.local.budget).toBeGreaterThan(0);
    device.createBuffer(64 * MEBIBYTE).write(new Uint8Array(64 * MEBIBYTE));
    await device.idle();
    const { local, nonLocal } = device.memory().adapter ?? expect.fail('an adapter');
    expect(local.usage + nonLocal.usage).toBeGreaterThanOrEqual(64 * MEBIBYTE);
    // An adapter without this segment has a budget of 0 for it, and uses none of it.
    expect(nonLocal.usage).toBeLessThanOrEqual(nonLocal.budget);
  });

  test('every kind is counted in use and idle, and the sums equal those of the live objects', async () => {
    const sorted = { dataType: 'float32', sizes: [1 << 18] } as const;
    const sort = await device.compile(sortOf(sorted));
    const weights = device.createTensor({ dataType: 'float32', sizes: [1, 1, 256, 256] });
    const product = { dataType: 'float32', sizes: [1, 1, 256, 256] } as const;
    const gemm = await device.compile(
      { type: 'gemm', aTensor: product, bTensor: { ...product, flags: 'ownedByDml' } },
      { initializationInputs: { bTensor: weights } },
    );
    const input = device.createTensor(sorted, new Float32Array(1 << 18));
    const outputs = sort.createOutputs();
    expectSumsOf(device.memory());
    expect(device.memory().buffers).toBe(4 * (1 << 18) * 3 + 4 * 256 * 256);
    // The operator keeps its weights.
    expect(device.memory().persistent).toBeGreaterThanOrEqual(4 * 256 * 256);
    sort.dispatch({ inputTensor: input, ...outputs });
    expect(device.memory().temporary.inUse).toBeGreaterThan(0);
    expect(device.memory().descriptors.inUse).toBeGreaterThan(0);
    expect(device.memory().staging.inUse).toBeGreaterThanOrEqual(MEBIBYTE);
    expectSumsOf(device.memory());
    await device.idle();
    const done = device.memory();
    expect([done.temporary.inUse, done.descriptors.inUse, done.staging.inUse]).toEqual([0, 0, 0]);
    expect(done.temporary.idle).toBeGreaterThan(0);
    expect(done.descriptors.idle).toBeGreaterThan(0);
    expect(done.staging.idle).toBeGreaterThanOrEqual(MEBIBYTE);
    expectSumsOf(done);
    for (const each of [input, weights, ...Object.values(outputs), sort, gemm]) each.dispose();
    expect(device.memory()).toMatchObject({ buffers: 0, persistent: 0 });
  });

  test('two devices are counted separately', async () => {
    const other = await createDevice({ backend: 'directml' });
    device.createBuffer(3 * MEBIBYTE);
    other.createBuffer(5 * MEBIBYTE);
    expect([device.memory().buffers, other.memory().buffers]).toEqual([3 * MEBIBYTE, 5 * MEBIBYTE]);
    expect(live().bufferBytes).toBe(8 * MEBIBYTE);
    other.dispose();
    expect(caught(() => other.memory()).code).toBe('ERR_DISPOSED');
  });

  test('includes that of graphs, and excludes objects once they are garbage-collected', async () => {
    const graph = device.createGraph();
    const x = graph.input('x', { dataType: 'float32', sizes: [1, 1, 64, 64] });
    const weights = graph.constant({ dataType: 'float32', sizes: [1, 1, 64, 64] }, new Float32Array(64 * 64).fill(2));
    const product = graph.add({ type: 'gemm', aTensor: x, bTensor: weights }).outputTensor;
    const net = await graph.compile({ product });
    await device.idle();
    const { persistent, constants } = net.memory;
    expect(device.memory()).toMatchObject({ persistent, buffers: constants });
    expectSumsOf(device.memory());
    for (let i = 0; i < 400; i++) device.createBuffer(16 * MEBIBYTE);
    expect(device.memory().buffers).toBeLessThan(400 * 16 * MEBIBYTE);
    expectSumsOf(device.memory());
  });

  test('shrinks to small pools within a minute after a burst', async () => {
    const buffer = device.createBuffer(64 * MEBIBYTE);
    const bytes = new Uint8Array(64 * MEBIBYTE);
    for (let i = 0; i < 4; i++) {
      buffer.write(bytes);
      expect(sum(device.memory().staging)).toBeLessThan(64 * MEBIBYTE + 70 * MEBIBYTE);
      await buffer.readInto(bytes);
    }
    const pools = () => {
      const { temporary, staging, descriptors } = device.memory();
      return sum(temporary) + sum(staging) + sum(descriptors);
    };
    expect(pools()).toBeGreaterThan(32 * MEBIBYTE);
    // Calls of `memory()` do not count as work, so they do not keep the pools.
    await vi.waitFor(() => expect(pools()).toBeLessThan(8 * MEBIBYTE), 60_000);
  });

  test('keeps at most 64 MiB of staging for later uploads, whatever their sizes', async () => {
    // The GPU is busy meanwhile, so that all of them are in flight at once.
    const square = { dataType: 'float32', sizes: [1, 1, 1024, 1024] } as const;
    const gemm = await device.compile({ type: 'gemm', aTensor: square, bTensor: square });
    const [aTensor, bTensor] = [device.createTensor(square), device.createTensor(square)];
    const { outputTensor } = gemm.createOutputs();
    // Their memory comes in sizes of 8, 5, 0.5 and 4 MiB, which are 65.5 MiB in total.
    const sizes = [...new Array<number>(7).fill(8 * MEBIBYTE), 5 * MEBIBYTE, MEBIBYTE / 2, 2.4 * MEBIBYTE].map(Math.trunc);
    const buffers = sizes.map((size) => device.createBuffer(size));
    // Here the device fills new memory with zeros, from staging memory that it keeps.
    gemm.dispatch({ aTensor, bTensor, outputTensor });
    await device.idle();
    await vi.waitFor(() => expect(sum(device.memory().staging)).toBeLessThanOrEqual(2 * MEBIBYTE), 60_000);
    const before = sum(device.memory().staging);
    for (let i = 0; i < 2; i++) gemm.dispatch({ aTensor, bTensor, outputTensor });
    device.submit();
    for (const buffer of buffers) buffer.write(new Uint8Array(buffer.sizeInBytes));
    await device.idle();
    expect(sum(device.memory().staging)).toBeLessThanOrEqual(64 * MEBIBYTE + before);
  });

  test('the temporary memory of a recording is in use until the recording is disposed of', async () => {
    const desc = { dataType: 'float32', sizes: [1 << 18] } as const;
    const sort = await device.compile(sortOf(desc));
    const input = device.createTensor(desc, new Float32Array(1 << 18));
    const outputs = sort.createOutputs();
    const recording = device.record(() => sort.dispatch({ inputTensor: input, ...outputs }));
    recording.replay();
    await device.idle();
    await sleep(2500);
    expect(device.memory().temporary.inUse).toBeGreaterThan(0);
    recording.dispose();
    await device.idle();
    expect(device.memory().temporary.inUse).toBe(0);
    await vi.waitFor(() => expect(sum(device.memory().temporary)).toBeLessThanOrEqual(MEBIBYTE), 60_000);
  });

  test('is not reported by a lost device', async () => {
    device.simulateLoss();
    await device.lost;
    expect(caught(() => device.memory()).code).toBe('ERR_DEVICE_LOST');
    expect(caught(() => device.onBudgetShrink(() => undefined)).code).toBe('ERR_DEVICE_LOST');
  });
});

describe('a budget that shrinks', () => {
  const limit = (bytes: number): void => {
    const backend = backendOf(device);
    if (!(backend instanceof DirectMLBackend)) throw new TypeError('only an adapter has a budget');
    backend.limitBudgetForTesting(bytes);
  };

  test('is reported to each listener until its disposal, and frees the pools', async () => {
    const told: [string, number | undefined][] = [];
    const listen = (name: string) => device.onBudgetShrink((memory) => void told.push([name, memory.adapter?.local.budget]));
    const first = listen('first');
    listen('second');
    device.createBuffer(32 * MEBIBYTE).write(new Uint8Array(32 * MEBIBYTE));
    await device.idle();
    expect(device.memory().staging.idle).toBeGreaterThanOrEqual(16 * MEBIBYTE);
    limit(512 * MEBIBYTE);
    await vi.waitFor(() =>
      expect(told).toEqual([
        ['first', 512 * MEBIBYTE],
        ['second', 512 * MEBIBYTE],
      ]),
    );
    expect(device.memory().staging.idle).toBeLessThan(4 * MEBIBYTE);
    // A larger budget is not reported.
    limit(768 * MEBIBYTE);
    await sleep(100);
    expect(told).toHaveLength(2);
    first[Symbol.dispose]();
    limit(256 * MEBIBYTE);
    await vi.waitFor(() => expect(told).toHaveLength(3));
    expect(told[2]).toEqual(['second', 256 * MEBIBYTE]);
  });

  test('is reported only to functions', () => {
    const error = caught(() => device.onBudgetShrink(untyped('later')));
    expect(error).toMatchObject({ code: 'ERR_INVALID_ARGUMENT', operator: 'onBudgetShrink', field: 'listener' });
  });

  test('is not reported after the disposal of the device', async () => {
    let calls = 0;
    device.onBudgetShrink(() => calls++);
    limit(512 * MEBIBYTE);
    device.dispose();
    await sleep(100);
    expect(calls).toBe(0);
  });
});
