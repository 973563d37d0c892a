/** A short run of each kind of `npm run parity`. It must have no failures, like the long ones. */
import { operatorTypes } from '../operators/cases.js';
import { expect, test } from 'vitest';
import { outputOf } from '../support/tools.js';

/** The last line of a run's output, which has the totals. */
async function totalsOf(...args: string[]): Promise<string> {
  const output = await outputOf('parity/cli.js', '--seed', '20260101', ...args);
  return output.trimEnd().split('\n').at(-1) ?? '';
}

test("our verdict on 20 descriptors of each operator is DirectML's", async () => {
  const operators = operatorTypes.length;
  const totals = await totalsOf('--cases', '20');
  expect(totals).toMatch(`operators ${operators}, descriptors ${operators * 20},`);
  expect(totals).toContain(', disagreements 0, ');
});

test("our verdict on three hundred graphs is DirectML's, and it compiles the good ones", async () => {
  const totals = await totalsOf('--graphs', '--cases', '300');
  expect(totals).toMatch('graphs 300, ');
  expect(totals).toContain(', deaths of DirectML 0, disagreements 0, ');
  expect(totals).toContain(', of which it refuses 0, ');
});

test('five dispatches of each operator, with extreme numbers and any data, come to an end', async () => {
  const totals = await totalsOf('--dispatch', '--cases', '5');
  expect(totals).toMatch(`dispatches ${operatorTypes.length * 5}, ran `);
  expect(totals).toContain('failed 0, devices lost 0, deaths 0, hangs 0');
});

test('a thousand malformed values at the native boundary end in typed errors', async () => {
  expect(await totalsOf('--crash', '--cases', '1000')).toBe(
    'malformed values 1000, typed errors 1000, untyped 0, deaths 0, hangs 0',
  );
});
