/** When `npm test` takes a test for one that hangs: a busy machine makes tests slower, never red. */
import { describe, expect, test } from 'vitest';
import { longestSilence, Silence, timesNow } from '../support/silence.js';

/** Processor times that grow by so many milliseconds for each one of the clock, on two processors. */
const grown = (minutes: number, { idle, own }: { idle: number; own: number }) => ({
  processors: 2,
  idle: idle * minutes * 60_000,
  own: own * minutes * 60_000,
});
const none = { processors: 2, idle: 0, own: 0 };

describe('silence', () => {
  test.each([
    { title: 'waits for ever on a quiet machine', share: { idle: 2, own: 0 } },
    { title: 'loops for ever on a quiet machine', share: { idle: 1, own: 1 } },
  ])('is too long after ten minutes if a test $title', ({ share }) => {
    const silence = new Silence(none);
    expect(silence.isTooLong(true, grown(9.9, share))).toBe(false);
    expect(silence.isTooLong(true, grown(10.1, share))).toBe(true);
  });

  test('grows with the processor time that other programs leave', () => {
    const share = { idle: 0, own: 2 / 25 };
    const silence = new Silence(none);
    expect(silence.isTooLong(true, grown(200, share))).toBe(false);
    expect(silence.isTooLong(true, grown(260, share))).toBe(true);
  });

  test('does not grow while only the type checker runs', () => {
    const share = { idle: 1, own: 0 };
    const silence = new Silence(none);
    expect(silence.isTooLong(false, grown(1000, share))).toBe(false);
    expect(silence.isTooLong(true, grown(1019, share))).toBe(false);
    expect(silence.isTooLong(true, grown(1021, share))).toBe(true);
  });

  test('begins again when a test ends', () => {
    const share = { idle: 2, own: 0 };
    const silence = new Silence(none);
    silence.isTooLong(true, grown(9, share));
    silence.break();
    expect(silence.isTooLong(true, grown(18, share))).toBe(false);
    expect(silence.isTooLong(true, grown(20, share))).toBe(true);
  });

  test('reads times that grow as the clock does', async () => {
    const [before, began] = [timesNow(), performance.now()];
    while (performance.now() - began < 300);
    const after = timesNow();
    const grew = after.idle - before.idle + after.own - before.own;
    expect(grew).toBeGreaterThan(0);
    // Clocks of processors tick each 10 ms.
    expect(grew).toBeLessThan((performance.now() - began + 20) * after.processors + 20 * after.processors);
    expect(longestSilence).toBe(600_000);
  });
});
