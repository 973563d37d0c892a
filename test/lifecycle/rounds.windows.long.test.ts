/** Ten thousand rounds of create, dispatch, read and dispose leak nothing. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { LiveObjects } from '../../binding.js';
import { expect, test } from 'vitest';

interface Measured {
  live: LiveObjects;
  resident: number;
}

const program = fileURLToPath(new URL('programs/rounds.mjs', import.meta.url));
const ROUNDS = 10_000;
const MEBIBYTE = 2 ** 20;

test('10,000 rounds end with the live objects and the memory with which they began', async () => {
  // The engine's space for new objects would grow meanwhile, by up to 30 MiB. It is not what this test is about.
  const flags = ['--expose-gc', '--max-semi-space-size=1'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, program, `${ROUNDS}`]);
  const { wrong, before, after }: { wrong: number; before: Measured; after: Measured } = JSON.parse(stdout);
  expect(wrong).toBe(0);
  expect(after.live).toEqual(before.live);
  // A leak of 4 KiB per round would be 40 MiB.
  expect((after.resident - before.resident) / MEBIBYTE).toBeLessThan(16);
});
