/** `npm run parity` in short: no descriptor and no malformed value may show what the long runs do not allow. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { operatorTypes } from '../conformance/cases/index.js';
import { expect, test } from 'vitest';

const tool = join(import.meta.dirname, '..', '..', 'build', 'tools', 'parity', 'cli.js');

/** The last line, which has the totals; the whole output where the tool says that something failed. */
async function totalsOf(...args: string[]): Promise<string> {
  const run = promisify(execFile)(process.execPath, [tool, '--seed', '20260101', ...args]);
  const { stdout } = await run.catch((error: unknown) => {
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    throw new Error(`the tool failed:\n${output}`, { cause: error });
  });
  return stdout.trimEnd().split('\n').at(-1) ?? '';
}

test("our verdict on 20 descriptors of each operator is DirectML's", { timeout: 300_000 }, async () => {
  const operators = operatorTypes.length;
  const totals = await totalsOf('--count', '20');
  expect(totals).toMatch(`operators ${operators}, descriptors ${operators * 20},`);
  expect(totals).toContain(', disagreements 0, ');
});

test('five dispatches of each operator, with extreme numbers and any data, come to an end', { timeout: 300_000 }, async () => {
  const totals = await totalsOf('--dispatch', '--count', '5');
  expect(totals).toMatch(`dispatches ${operatorTypes.length * 5}, ran `);
  expect(totals).toContain('failed 0, devices lost 0, deaths 0, hangs 0');
});

test('a thousand malformed values at the native boundary end in typed errors', { timeout: 120_000 }, async () => {
  expect(await totalsOf('--crash', '--count', '1000')).toBe(
    'malformed values 1000, typed errors 1000, untyped 0, deaths 0, hangs 0',
  );
});
