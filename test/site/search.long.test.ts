/** The search of the site finds what users mean. It searches in the pages themselves, so the site need not be built. */
import { beforeAll, expect, test } from 'vitest';
import { searchTerms } from './search-terms.js';

let pagesFor: (text: string) => string[];

beforeAll(async () => {
  const load = (path: string) => import(new URL(`../../${path}`, import.meta.url).href) as Promise<unknown>;
  const { ensurePackages } = (await load('scripts/shared/packages.mjs')) as { ensurePackages: (folder: string) => Promise<void> };
  await ensurePackages('docs');
  const { openSearch } = (await load('docs/.vitepress/search-index.mjs')) as {
    openSearch: () => Promise<(text: string) => string[]>;
  };
  const search = await openSearch();
  pagesFor = (text) => [...new Set(search(text).map((address) => address.replace(/#.*/, '')))];
});

test.each(Object.entries(searchTerms))('"%s" finds %s first', (term, page) => {
  expect(pagesFor(term)[0]).toBe(page);
});

test('the name of an operator also finds the function of arrays, and that of layers', () => {
  for (const name of ['sum', 'mean', 'matmul', 'argmax', 'concat']) {
    expect(pagesFor(name).slice(0, 5), name).toContain('/array-functions');
  }
  for (const name of ['softmax', 'relu']) expect(pagesFor(name).slice(0, 6), name).toContain('/layer-functions');
});

test('a subject of an operator also finds the guide and the recipe about it', () => {
  expect(pagesFor('kv cache').slice(0, 4)).toEqual(expect.arrayContaining(['/guides/language-models', '/recipes']));
  const aboutWeights = ['/guides/language-models', '/guides/weights', '/recipes'];
  expect(pagesFor('int4 weights').slice(0, 4)).toEqual(expect.arrayContaining(aboutWeights));
});
