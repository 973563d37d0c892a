/** The check of `npm run lint` for the subjects of commits. */
import { expect, test } from 'vitest';

const script: unknown = await import(new URL('../../scripts/lint-commits.mjs', import.meta.url).href);
const { longSubjects } = script as { longSubjects(log: string): string[] };

test('a subject may have 72 columns, and no more', () => {
  const log = (length: number) => `0123abcd ${'x'.repeat(length)}`;
  expect(longSubjects(`${log(72)}\n${log(10)}\n`)).toEqual([]);
  expect(longSubjects(`${log(72)}\n${log(73)}\n`)).toEqual([log(73)]);
  expect(longSubjects(`0123abcd ${'²'.repeat(72)}`)).toEqual([]);
});

test('there may be no new commits', () => {
  expect(longSubjects('')).toEqual([]);
});
