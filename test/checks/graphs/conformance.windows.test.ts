/** A short run of `npm run conformance -- --graphs`. It must have no mismatches, like the long ones. */
import { expect, test } from 'vitest';
import { drawn } from '../../support/level.js';
import { outputOf } from '../../support/tools.js';

test('random graphs give the same results as their operators one by one', async () => {
  const cases = drawn({ quick: 40, all: 200 });
  const output = await outputOf('conformance', '--graphs', '--seed', '20260101', '--cases', `${cases}`);
  expect(output).toMatch(new RegExp(`\n${cases} graphs, \\d+ nodes of \\d+ operators, 0 mismatches\\s*$`));
});
