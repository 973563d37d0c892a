/** DirectML's own verdict on every stored descriptor equals ours, except for the strict rules. */
import { expect, test } from 'vitest';
import { outputOf } from '../../support/tools.js';

test('DirectML agrees on every stored descriptor', async () => {
  const output = await outputOf('parity', '--stored');
  expect(output.trimEnd().split('\n').at(-1)).toContain(', disagreements 0, ');
});
