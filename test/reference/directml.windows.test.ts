/** What the package does not let through, asked of DirectML itself: the descriptors that a reference page has wrong. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadAddon, type NativeBinding as Addon } from '#lib/backends/directml/addon.js';
import { encodeLoosely } from '../parity/encode.js';
import { workedExamples } from './examples/index.js';

type NativeDevice = Awaited<ReturnType<Addon['createDevice']>>;

let device: NativeDevice;

beforeAll(async () => {
  const { binding, directory } = loadAddon();
  device = await binding.createDevice({ addonDirectory: directory });
});

afterAll(() => {
  device.dispose();
});

it('refuses the descriptors that the examples correct', () => {
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
  expect(accepted).toEqual([]);
});
