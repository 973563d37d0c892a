/** Short runs of `npm run fuzz -- --files`. */
import { expect, test } from 'vitest';
import { drawn } from '../../support/level.js';
import { outputOf } from '../../support/tools.js';

const FILES = drawn({ quick: 150, all: 3000 });

test('hundreds of files that strangers may give throw only typed errors, and none outside the folder is opened', async () => {
  const output = await outputOf('fuzz', '--files', '--seed', '20260103', '--cases', `${FILES}`);
  expect(output).toMatch(new RegExp(`^calls +${FILES}$`, 'm'));
  expect(output).toContain('seed 20260103, failures 0');
});
