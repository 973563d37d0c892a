/** A process that exits in the middle of work keeps its exit code and does not crash. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('programs/exit.mjs', import.meta.url));

function exitCodeOf(stage: string): Promise<number | null> {
  const child = spawn(process.execPath, [program, stage], { stdio: 'ignore' });
  return new Promise((resolve, reject) => child.on('error', reject).on('exit', resolve));
}

test.each([
  ['compile', 42],
  ['dispatch', 42],
  ['long', 42],
  ['read', 42],
  ['uncaught', 1],
  ['natural', 0],
  ['watching', 0],
])('a process that ends during %s exits with %i', async (stage, expected) => {
  expect(await exitCodeOf(stage)).toBe(expected);
});
