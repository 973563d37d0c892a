// @ts-check
// Makes the search index of the site from its pages, without building the site, so that a test can search in it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { createMarkdownRenderer, resolveConfig } from 'vitepress';
import { writeApi } from './site.mjs';
import { address, root } from './pages.mjs';
import { search } from './search.mjs';

/**
 * Resolves to a function that returns the addresses of the sections that the site shows for a text, best first, such as
 * `/operators/gemm#gemm`.
 * @returns {Promise<(text: string) => string[]>}
 */
export async function openSearch() {
  await writeApi();
  const { pages, markdown, site } = await resolveConfig(join(root, 'docs'), 'build', 'production');
  const renderer = await createMarkdownRenderer(root, markdown, site.base);
  const { options, searchOptions, _splitIntoSections: sectionsOf } = search.miniSearch;
  const index = new MiniSearch({ ...options, searchOptions });
  for (const page of pages) {
    const path = join(root, page);
    const html = search._render(readFileSync(path, 'utf8'), { path, relativePath: page, cleanUrls: true }, renderer);
    for (const { anchor, titles, text } of sectionsOf(path, html)) {
      index.add({
        id: `${site.base.slice(0, -1)}${address(page)}#${anchor}`,
        title: titles.at(-1),
        titles: titles.slice(0, -1),
        text,
      });
    }
  }
  return (text) => index.search(text).map(({ id }) => String(id).slice(site.base.length - 1));
}
