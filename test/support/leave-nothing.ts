/**
 * Fails a test file that leaves a device open. The test files of a thread share the addon, so the next file that counts live
 * objects would count that device too.
 */
import { loadAddon } from '#lib/backends/directml/addon.js';
import { afterAll, expect } from 'vitest';
import { collected } from './collected.js';

afterAll(async () => {
  const { liveObjects } = loadAddon().binding;
  if (liveObjects().devices === 0) return;
  await collected(() => expect(liveObjects().devices, 'devices that the tests of this file leave').toBe(0));
});
