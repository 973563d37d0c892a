/** A short run of each kind of `npm run parity`. It must have no failures, like the long ones. */
import { operatorTypes } from '../../checks/operators/cases.js';
import { expect, test } from 'vitest';
import { drawn } from '../support/level.js';
import { outputOf } from '../support/tools.js';

/** The last line of a run's output, which has the totals. */
async function totalsOf(...args: string[]): Promise<string> {
  const output = await outputOf('parity', '--seed', '20260101', ...args);
  return output.trimEnd().split('\n').at(-1) ?? '';
}

test("our verdicts on random descriptors of each operator are DirectML's", async () => {
  const operators = operatorTypes.length;
  const cases = drawn({ quick: 4, all: 20 });
  const totals = await totalsOf('--cases', `${cases}`);
  expect(totals).toMatch(`operators ${operators}, descriptors ${operators * cases},`);
  expect(totals).toContain(', disagreements 0, ');
});

test("our verdicts on random graphs are DirectML's, which compiles what the package makes of them", async () => {
  const cases = drawn({ quick: 50, all: 300 });
  const totals = await totalsOf('--graphs', '--cases', `${cases}`);
  expect(totals).toMatch(`graphs ${cases}, `);
  expect(totals).toContain(', deaths of DirectML 0, disagreements 0, ');
  expect(totals).toContain(', of which it refuses 0, ');
});

/** Software drivers take minutes for large numbers: one run of all operators could reach the limit of a test. */
const count = drawn({ quick: 1, all: 4 });
const parts = Array.from({ length: count }, (_, part) => operatorTypes.filter((_type, i) => i % count === part));

test.each(parts)('dispatches with extreme numbers and any data end: %s and others', async (...operators) => {
  const cases = drawn({ quick: 1, all: 5 });
  const totals = await totalsOf('--dispatch', '--cases', `${cases}`, ...operators);
  expect(totals).toMatch(`dispatches ${operators.length * cases}, ran `);
  expect(totals).toContain('failed 0, devices lost 0, deaths 0, hangs 0');
});

test('malformed values at the native boundary give typed errors', async () => {
  const cases = drawn({ quick: 250, all: 1000 });
  expect(await totalsOf('--malformed', '--cases', `${cases}`)).toBe(
    `malformed values ${cases}, typed errors ${cases}, untyped 0, deaths 0, hangs 0`,
  );
});
