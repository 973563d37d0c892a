/**
 * Loops that await one promise of a device after the other: timers still fire, memory stays flat, and the device keeps up.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createDevice, type Device, type DeviceOptions, type Tensor } from 'node-directml';
import { ml } from 'node-directml/webnn';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backends } from '../support/devices.js';

const MEBIBYTE = 2 ** 20;
const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;

const kinds = backends.flatMap((backend): [string, DeviceOptions][] =>
  backend === 'directml'
    ? [['DirectML', { backend }]]
    : (['worker', 'caller'] as const).map((thread) => [`the reference, ${thread}`, { backend, thread }]),
);

describe.each(kinds)('on %s', (_, options) => {
  let device: Device;

  beforeAll(async () => {
    device = await createDevice(options);
  });

  afterAll(() => device.dispose());

  test.each([
    [10_000, 64 * 1024],
    [600, MEBIBYTE],
  ])('%i steps with tensors of %i bytes keep memory flat and let timers fire', async (steps, size) => {
    const usual = await gapOfPieces();
    const desc = float32(size / 4);
    const one = device.createTensor(desc, new Float32Array(size / 4).fill(1));
    let sum: Tensor = device.createTensor(desc);
    let most = 0;
    const gap = await gapDuring(async () => {
      for (let i = 0; i < steps; i++) {
        sum = (await device.run({ type: 'elementWiseAdd', aTensor: sum, bTensor: one })).outputTensor;
        most = Math.max(most, device.memory().buffers);
      }
    });
    expect(await sum.read({ length: 1 })).toEqual(Float32Array.of(steps));
    expect(most).toBeLessThan(256 * MEBIBYTE);
    expect(gap).toBeLessThan(3 * usual);
  });

  test('after a loop of awaited runs, the remaining work takes less time than the loop', async () => {
    const desc = float32(256, 256);
    let product: Tensor = device.createTensor(desc);
    const multiply = async () => {
      product = (await device.run({ type: 'gemm', aTensor: product, bTensor: product })).outputTensor;
    };
    await multiply();
    await product.read();
    const start = performance.now();
    for (let i = 0; i < 100; i++) await multiply();
    const looped = performance.now() - start;
    await product.read();
    expect(performance.now() - start - looped).toBeLessThan(looped);
  });

  test('a timer fires during a loop that awaits any kind of promise', async () => {
    const desc = float32(4);
    const tensor = device.createTensor(desc);
    const target = new Float32Array(4);
    const graph = device.createGraph();
    const x = graph.input('x', desc);
    const net = await graph.compile({ y: graph.add({ type: 'elementWiseAbs', inputTensor: x }).outputTensor });
    const abs = await device.compile({ type: 'elementWiseAbs', inputTensor: desc });
    const context = await ml.createContext(device);
    const shape = { dataType: 'float32', shape: [4] } as const;
    const readable = await context.createTensor({ ...shape, readable: true });
    const steps: Readonly<Record<string, () => Promise<unknown>>> = {
      run: () => device.run({ type: 'elementWiseAbs', inputTensor: tensor }),
      'run with an output': () => device.run({ type: 'elementWiseAbs', inputTensor: tensor, outputTensor: tensor }),
      'run of a graph': () => net.run({ x: tensor }),
      'run that fails': () => device.run({ type: 'elementWiseAbs', inputTensor: desc as never }).catch(() => undefined),
      compile: () => device.compile({ type: 'elementWiseAbs', inputTensor: desc }),
      read: () => tensor.read(),
      readInto: () => tensor.readInto(target),
      idle: () => device.idle(),
      dispatchChecked: () => abs.dispatchChecked({ inputTensor: tensor, outputTensor: tensor }),
      profile: () => device.profile(() => undefined),
      'createTensor of WebNN': () => context.createTensor(shape),
      'readTensor of WebNN': () => context.readTensor(readable),
    };
    for (const [name, step] of Object.entries(steps)) expect(await comesDuring(step), name).toBe(true);
  });
});

/** Returns whether a timer fires within 2 seconds while the promises of `step` are awaited one after the other. */
async function comesDuring(step: () => Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(), 1);
  for (const end = performance.now() + 2000; !timer.signal.aborted && performance.now() < end;) await step();
  clearTimeout(timeout);
  return timer.signal.aborted;
}

/** The mean time between timers in a program that works in pieces of 10 ms, for comparison: a busy machine delays it, too. */
async function gapOfPieces(): Promise<number> {
  return gapDuring(async () => {
    for (let i = 0; i < 50; i++) {
      for (const end = performance.now() + 10; performance.now() < end;);
      await sleep(0);
    }
  });
}

/** The mean time between two ticks of a timer during `work`, in milliseconds. */
async function gapDuring(work: () => Promise<void>): Promise<number> {
  let turns = 1;
  const start = performance.now();
  const timer = setInterval(() => (turns += 1), 1);
  await work();
  const time = performance.now() - start;
  clearInterval(timer);
  return time / turns;
}
