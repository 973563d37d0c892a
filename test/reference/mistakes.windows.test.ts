/** Where a reference page has a wrong descriptor, the real DirectML refuses what is written there. */
import { expect, it } from 'vitest';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { encodeLoosely } from '../parity/encode.js';
import { workedExamples } from './examples/index.js';

it('refuses the descriptors that the examples correct', async () => {
  const { binding, directory } = loadAddon();
  const device = await binding.createDevice({ addonDirectory: directory });
  const accepted = workedExamples.filter(({ descriptor, asWritten }) => {
    if (asWritten === undefined) return false;
    const { type, ...fields } = encodeLoosely({ ...descriptor, ...asWritten });
    try {
      device.checkOperator({ type: Number(type), ...fields }, 0);
      return true;
    } catch {
      return false;
    }
  });
  device.dispose();
  expect(accepted).toEqual([]);
});
