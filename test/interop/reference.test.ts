/** The reference backend has no GPU memory to share, and says so. */
import { createDevice } from 'node-directml';
import { expect, test } from 'vitest';
import { caught } from '../support/errors.js';

test('everything that shares is refused with what to do', async () => {
  using device = await createDevice({ backend: 'reference' });
  const buffer = device.createBuffer(16);
  const calls = [
    () => device.native,
    () => buffer.native,
    () => device.importBuffer({ external: null }),
    () => device.importTexture({ external: null }),
    () => device.importFence({ external: null }),
  ];
  for (const call of calls) {
    const error = caught(call);
    expect(error.code).toBe('ERR_NOT_SHAREABLE');
    expect(error.message).toContain(`backend: 'directml'`);
  }
});
