/** The pace of a program that awaits one step after the other. */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Pace } from '#lib/api/pace.js';
import type { Backend } from '#lib/backends/backend.js';

test('parts may end in any order, and the event loop goes on', async () => {
  const delays = [30, 80, 20, 30];
  const caughtUp = () => sleep(delays.shift() ?? 0);
  // All that a pace needs of a backend.
  const pace = new Pace({ caughtUp } as unknown as Backend);
  // A part of one step that takes long: from now on each step waits for all parts.
  await pace.addStep();
  await sleep(50);
  const step = async () => pace.addStep();
  const steps = [step(), step()];
  await sleep(40);
  // The second part has ended, the first one has not.
  steps.push(step());
  expect(await Promise.race([Promise.all(steps), sleep(5000)])).toHaveLength(3);
});

describe('how many steps are a part', () => {
  afterEach(() => void vi.restoreAllMocks());

  /** The steps of the parts that a program gets whose steps take these milliseconds, and have new buffers of so many bytes. */
  async function partsOf(steps: number, milliseconds: number, bytes = 0): Promise<readonly number[]> {
    let [now, recorded] = [1000, 0];
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const parts: number[] = [];
    const caughtUp = () => {
      parts.push(recorded);
      now += milliseconds * recorded;
      recorded = 0;
      return Promise.resolve();
    };
    const pace = new Pace({ caughtUp } as unknown as Backend);
    for (let i = 0; i < steps; i++) {
      if (bytes > 0) pace.addBuffer(bytes);
      recorded += 1;
      await pace.addStep();
    }
    return parts;
  }

  test('twice as many as in the one before, at most 256, if they take no time', async () => {
    expect(await partsOf(1023, 0)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 256]);
  });

  test('as many as the device computes in 6 ms, but at least one', async () => {
    expect(await partsOf(12, 2)).toEqual([1, 2, 3, 3, 3]);
    expect(await partsOf(3, 50)).toEqual([1, 1, 1]);
  });

  test('fewer, once their buffers have 32 MiB', async () => {
    expect(await partsOf(15, 0, 2 ** 23)).toEqual([1, 2, 4, 4, 4]);
    expect(await partsOf(11, 0, 2 ** 23 - 1)).toEqual([1, 2, 4]);
  });

  test('a new time counts for a fifth', async () => {
    let now = 1000;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const times = [1, 11, 6, 6, 6];
    const parts: number[] = [];
    const pace = new Pace({ caughtUp: () => Promise.resolve(void (now += times[parts.length] ?? 0)) } as unknown as Backend);
    for (let step = 1; parts.length < 4; step++) {
      const before = now;
      await pace.addStep();
      if (now !== before) parts.push(step);
    }
    // 1 ms for a step, then 5.5 ms for each of two: 1.9 ms, so three steps take less than 6.
    expect(parts).toEqual([1, 3, 6, 9]);
  });
});

test.each([
  [12, 'goes on'],
  [13, 'waits for the device'],
])('after one step of %d ms, the next one %s', async (milliseconds, what) => {
  let now = 1000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const ends: (() => void)[] = [];
  const pace = new Pace({ caughtUp: () => new Promise<void>((resolve) => ends.push(resolve)) } as unknown as Backend);
  const isOver = (step: Promise<void> | null) => Promise.race([Promise.resolve(step).then(() => true), sleep(20, false)]);
  try {
    await pace.addStep();
    now += milliseconds;
    ends[0]?.();
    await sleep(1);
    const next = pace.addStep();
    expect(await isOver(next)).toBe(what === 'goes on');
    ends[1]?.();
    expect(await isOver(next)).toBe(true);
  } finally {
    clock.mockRestore();
  }
});
