// @ts-check
// The Markdown is written for GitHub, with links to files of the repository. Here a link to a page of the site becomes one to
// its address on the site, and any other one a link to the file on GitHub.
import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { address, apiFolder, root, sourceUrl } from './pages.mjs';

/** The anchor of a heading, as GitHub makes it. */
export function headingAnchor(/** @type {string} */ heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** A plugin of markdown-it. Throws if a link leads to a file that does not exist. */
export function repositoryLinks(/** @type {import('vitepress').MarkdownRenderer} */ md) {
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null;
      if (href !== null && !/^([#/]|[a-z]+:)/i.test(href)) token.attrSet('href', resolved(href, relativePath(env)));
    }
  });
}

/** The page's path in the repository. VitePress gives the one on the site too, except while it makes the search index. */
function relativePath(/** @type {{ path: string, realPath?: string }} */ { path, realPath = path }) {
  return posix.relative(root.replaceAll('\\', '/'), realPath.replaceAll('\\', '/'));
}

function resolved(/** @type {string} */ href, /** @type {string} */ page) {
  const [path = '', anchor] = href.split('#');
  const file = posix.join(posix.dirname(page), decodeURI(path));
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (!existsSync(join(root, file))) throw new Error(`${page}: a link leads to ${file}, which does not exist`);
  if (isPage(file)) return `${address(file)}${hash}`;
  return `${sourceUrl}/${statSync(join(root, file)).isDirectory() ? 'tree' : 'blob'}/main/${file}${hash}`;
}

function isPage(/** @type {string} */ file) {
  return file.endsWith('.md') && (/^(docs\/|[^/]+$)/.test(file) || file.startsWith(`${apiFolder}/`));
}
