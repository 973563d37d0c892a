/**
 * The recipes of docs/recipes.md are files in examples/recipes, and short. test/docs/programs.test.ts runs what the page shows,
 * jobs.long.test.ts the recipe that needs Redis.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { blocksOf } from '../support/pages.js';

const longest = 30;
const folder = new URL('../../examples/recipes/', import.meta.url);
const names = readdirSync(folder);
const textOf = (name: string) => readFileSync(new URL(name, folder), 'utf8').replaceAll('\r\n', '\n');

test('the page shows each file once, as it is', () => {
  const shown = blocksOf('docs/recipes.md').flatMap(({ language, code }) => (language === 'js' ? [code] : []));
  expect(shown.toSorted()).toEqual(names.map(textOf).toSorted());
});

test.each(names)(`%s has at most ${longest} lines`, (name) => {
  expect(textOf(name).trimEnd().split('\n').length).toBeLessThanOrEqual(longest);
});
