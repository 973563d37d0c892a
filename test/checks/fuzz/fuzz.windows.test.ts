/** Short runs of `npm run fuzz`. */
import { expect, test } from 'vitest';
import { drawn } from '../../support/level.js';
import { outputOf } from '../../support/tools.js';

const CALLS = drawn({ quick: 1000, all: 4000 });
const SESSION_CALLS = drawn({ quick: 200, all: 600 });

test('thousands of random calls throw only typed errors, and leave nothing behind', async () => {
  const output = await outputOf('fuzz', '--seed', '20260101', '--cases', `${CALLS}`);
  expect(output).toMatch(new RegExp(`^calls +${CALLS}$`, 'm'));
  expect(output).toContain('seed 20260101, failures 0');
});

test('sessions are created, run and released while their devices and contexts end', async () => {
  const output = await outputOf('fuzz', '--sessions', '--seed', '20260102', '--cases', `${SESSION_CALLS}`);
  expect(output).toMatch(new RegExp(`^calls +${SESSION_CALLS}$`, 'm'));
  expect(output).toContain('seed 20260102, failures 0');
});
