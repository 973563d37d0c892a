// @ts-check
// Finds dead links in the built site. Each link within it must lead to an existing page or file, and to an existing anchor. Links
// to files of the repository were checked when the pages were rendered (docs/.vitepress/links.mjs). Other links are not checked.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} folder the built site
 * @param {string} base the path under which it will be served, with a slash at both ends
 */
export function checkLinks(folder, base) {
  const pages = new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.html') && name !== '404.html')
      .map((name) => [name.replaceAll('\\', '/'), readPage(join(folder, name))]),
  );
  let links = 0;
  /** @type {string[]} */
  const dead = [];
  for (const [page, { hrefs }] of pages) {
    const own = `${base}${page.replace(/(index)?\.html$/, '')}`;
    for (const href of hrefs) {
      const url = new URL(href, `http://site${own}`);
      if (url.host !== 'site') continue;
      links++;
      if (!leadsSomewhere(url)) dead.push(`${page}: ${href}`);
    }
  }
  return { pages: pages.size, links, dead };

  function leadsSomewhere(/** @type {URL} */ { pathname, hash }) {
    if (!pathname.startsWith(base)) return false;
    const path = decodeURI(pathname.slice(base.length));
    const page = pages.get(path === '' || path.endsWith('/') ? `${path}index.html` : `${path}.html`);
    if (page === undefined) return hash === '' && isFile(join(folder, path));
    return hash === '' || page.anchors.has(decodeURIComponent(hash.slice(1)));
  }
}

function isFile(/** @type {string} */ path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function readPage(/** @type {string} */ file) {
  const html = readFileSync(file, 'utf8');
  return {
    hrefs: new Set(attributes(html, /<a\s[^>]*?\bhref="([^"]*)"/g)),
    anchors: new Set(attributes(html, /\sid="([^"]*)"/g)),
  };
}

function attributes(/** @type {string} */ html, /** @type {RegExp} */ pattern) {
  return [...html.matchAll(pattern)].map(([, value = '']) => value.replaceAll('&amp;', '&').replaceAll('&#39;', "'"));
}
