/** `npm run fuzz` in short. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const tool = join(import.meta.dirname, '..', '..', 'build', 'tools', 'fuzz', 'cli.js');

test('four thousand random calls end in nothing but typed errors, and leave nothing', { timeout: 120_000 }, async () => {
  const run = promisify(execFile)(process.execPath, [tool, '--seed', '20260101', '--calls', '4000']);
  const { stdout } = await run.catch((error: unknown) => {
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    throw new Error(`the tool failed:\n${output}`, { cause: error });
  });
  expect(stdout).toMatch(/^calls +4000$/m);
  expect(stdout).toContain('seed 20260101, failures 0');
});
