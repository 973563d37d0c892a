/** When a program that only awaits settled promises has to let the event loop turn. */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { dueTurn, nextTurn } from '#lib/api/event-loop.js';

test('a turn is due after 5 ms without one', async () => {
  await sleep(10);
  let now = performance.now() + 1000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  try {
    // The event loop has waited meanwhile: that counts as a turn.
    expect(dueTurn()).toBeNull();
    now += 4.9;
    expect(dueTurn()).toBeNull();
    now += 0.2;
    const due = dueTurn();
    expect(due).toBeInstanceOf(Promise);
    expect(dueTurn()).toBe(due);
    await due;
    expect(dueTurn()).toBeNull();
  } finally {
    clock.mockRestore();
  }
});

test('a turn lets what waits run', async () => {
  let hasRun = false;
  setImmediate(() => (hasRun = true));
  await nextTurn();
  expect(hasRun).toBe(true);
});
