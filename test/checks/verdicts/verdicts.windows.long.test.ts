/** DirectML's own verdict on every stored descriptor equals ours, except for the strict rules. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const tool = join(import.meta.dirname, '../..', '..', '..', 'build', 'tools', 'parity', 'cli.js');

test('DirectML agrees on every stored descriptor', () => {
  const output = execFileSync(process.execPath, [tool, '--stored'], { encoding: 'utf8' });
  expect(output.trimEnd().split('\n').at(-1)).toContain(', disagreements 0, ');
});
