/** The real DirectML compiles a minimal descriptor of each of its operators. It needs Windows, or the sandbox. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { encodeLoosely } from '../parity/encode.js';
import { readAllFacts } from './facts.js';
import { minimalDescriptor } from './minimal.js';

it('compiles all 177 operators', async () => {
  const facts = await readAllFacts(join(import.meta.dirname, '..', '..'));
  const operators = Object.values(facts.operators);
  expect(operators).toHaveLength(177);
  const { binding, directory } = loadAddon();
  const device = await binding.createDevice({ addonDirectory: directory });
  const refused = operators.flatMap((operator) => {
    const encoded = encodeLoosely(minimalDescriptor(operator, facts), facts);
    try {
      device.checkOperator({ ...JSON.parse(JSON.stringify(encoded), reviveBytes) }, 0);
      return [];
    } catch (error) {
      return [`${operator.name}: ${String(error)}`];
    }
  });
  device.dispose();
  expect(refused).toEqual([]);
});

/** A scalar union is written as `{ "$bytes": […] }`. */
function reviveBytes(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('$bytes' in value)) return value;
  return Array.isArray(value.$bytes) ? Uint8Array.from(value.$bytes, Number) : value;
}
