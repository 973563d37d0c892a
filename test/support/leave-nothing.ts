/**
 * Fails a test file that leaves a device open. The test files of a thread share the addon, so the next file that counts live
 * objects would count that device too.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { afterAll, expect, vi } from 'vitest';

afterAll(async () => {
  const { liveObjects } = loadAddon().binding;
  if (liveObjects().devices === 0) return;
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  await vi.waitFor(
    () => {
      collectGarbage();
      expect(liveObjects().devices, 'devices that the tests of this file leave').toBe(0);
    },
    { timeout: 30_000, interval: 100 },
  );
});
