/** A short run of `npm run conformance -- --graphs`. It must have no mismatches, like the long ones. */
import { expect, test } from 'vitest';
import { outputOf } from '../support/tools.js';

test('two hundred random graphs give what their operators give one by one', async () => {
  const output = await outputOf('conformance/cli.js', '--graphs', '--seed', '20260101', '--cases', '200');
  expect(output).toMatch(/\n200 graphs, \d+ nodes of \d+ operators, 0 mismatches\s*$/);
});
