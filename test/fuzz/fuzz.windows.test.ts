/** `npm run fuzz` in short. */
import { expect, test } from 'vitest';
import { outputOf } from '../support/tools.js';

test('four thousand random calls end in nothing but typed errors, and leave nothing', async () => {
  const output = await outputOf('fuzz/cli.js', '--seed', '20260101', '--cases', '4000');
  expect(output).toMatch(/^calls +4000$/m);
  expect(output).toContain('seed 20260101, failures 0');
});
