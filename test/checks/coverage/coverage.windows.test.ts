/** The real DirectML compiles a minimal descriptor of each of its operators. It needs Windows, or the sandbox. */
import { expect, it } from 'vitest';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import { asNative, encodeLoosely } from '../../../checks/descriptors/encode.js';
import { minimalDescriptors } from '../../../checks/cases/generated/minimal-descriptors.js';

it('compiles all operators', async () => {
  const descriptors = Object.values(minimalDescriptors);
  expect(descriptors).toHaveLength(Object.keys(operatorTable).length);
  const { binding, directory } = loadAddon();
  const device = await binding.createDevice({ addonDirectory: directory });
  const refused = descriptors.flatMap((descriptor) => {
    try {
      device.checkOperator(asNative(encodeLoosely({ ...descriptor })), 0);
      return [];
    } catch (error) {
      return [`${descriptor.type}: ${String(error)}`];
    }
  });
  device.dispose();
  expect(refused).toEqual([]);
});
