/** A short run of `npm run fuzz`. */
import { expect, test } from 'vitest';
import { drawn } from '../support/level.js';
import { outputOf } from '../support/tools.js';

const CALLS = drawn({ quick: 2000, all: 4000 });

test('thousands of random calls throw only typed errors, and leave nothing behind', async () => {
  const output = await outputOf('fuzz/cli.js', '--seed', '20260101', '--cases', `${CALLS}`);
  expect(output).toMatch(new RegExp(`^calls +${CALLS}$`, 'm'));
  expect(output).toContain('seed 20260101, failures 0');
});
