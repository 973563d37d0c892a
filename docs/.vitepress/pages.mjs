// @ts-check
// Which files are pages of the site, under which address, and the menus. The menu of the guide is the list in docs/README.md;
// pages that it does not name follow at its end, by their first heading.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';

/** @typedef {import('vitepress').DefaultTheme.SidebarItem} Item */

export const root = resolve(import.meta.dirname, '..', '..');
/** The folder that api.mjs fills, from the root. */
export const apiFolder = 'build/docs/api';
/** The folder of the pictures of operators, from the root. */
export const tensorFolder = 'build/docs/tensors';

/** The list of pages. */
const contents = 'docs/README.md';

/** @type {{ name: string, repository: { url: string }, exports: Record<string, { require?: { types: string } }> }} */
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
export const siteName = manifest.name;
/** What `import` finds, by name, and where the types of each are. */
export const entries = Object.entries(manifest.exports).flatMap(([path, { require }]) =>
  require === undefined ? [] : [{ name: `${siteName}${path.slice(1)}`, types: require.types }],
);
/** The entry whose functions have pages of their own. */
export const operatorsEntry = `${siteName}/operators`;
/** Where the repository can be browsed. */
export const sourceUrl = manifest.repository.url.replace(/^git\+|\.git$/g, '');

/** The address of a page on the site, from its path in the repository: `docs/operators/README.md` is `operators/index.md`. */
export function sitePath(/** @type {string} */ file) {
  // docs/ may have pages of the same names as the files that GitHub expects in the root, such as CONTRIBUTING.md.
  if (!file.includes('/')) return file === 'README.md' ? 'index.md' : `project/${file.toLowerCase()}`;
  if (file === contents) return 'documentation.md';
  return file
    .replace(`${apiFolder}/`, 'api/')
    .replace(/^docs\//, '')
    .replace(/(^|\/)README\.md$/, '$1index.md');
}

/** Patterns of all Markdown files that are no pages: pages are in docs/, in the root and in the API's folder. */
export function notPages() {
  const foldersIn = (/** @type {string} */ folder) =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  const inRoot = foldersIn('.').filter((name) => name !== 'docs' && name !== 'build');
  const inBuild = existsSync(join(root, 'build')) ? foldersIn('build').filter((name) => name !== 'docs') : [];
  return [...inRoot.map((name) => `${name}/**`), ...inBuild.map((name) => `build/${name}/**`), 'build/docs/!(api)/**'];
}

/** @returns {import('vitepress').DefaultTheme.NavItem[]} */
export function navigation() {
  return [
    { text: 'Guide', link: '/documentation', activeMatch: '^/(?!operators/|api/|playground|$)' },
    { text: 'Operators', link: '/operators/', activeMatch: '^/operators/' },
    { text: 'API', link: '/api/', activeMatch: '^/api/' },
    { text: 'Playground', link: '/playground' },
  ];
}

/** @returns {Record<string, Item[]>} */
export function sidebars() {
  return {
    '/operators/': [{ text: 'All operators', link: '/operators/' }, ...operatorFamilies()],
    '/api/': [{ text: 'All exports', link: '/api/' }, ...apiEntries()],
    '/': [{ text: 'All pages', link: '/documentation' }, ...guide()],
  };
}

/** The sections of docs/README.md with the pages to which they have links, and then all other pages. */
function guide() {
  const [, ...sections] = existsSync(join(root, contents)) ? readFileSync(join(root, contents), 'utf8').split(/^## /m) : [];
  const groups = sections.flatMap((section) => {
    const links = [...section.matchAll(/\[([^\]]+)\]\(([\w./-]+\.md)\)/g)];
    const items = links.map(([, text = '', path = '']) => ({ text: plain(text), link: address(posix.join('docs', path)) }));
    return group(titleOf(section), items);
  });
  const named = new Set(groups.flatMap(({ items = [] }) => items.map(({ link }) => link)));
  const others = ['docs', 'docs/guides', '.'].flatMap(pagesIn).filter(({ link }) => !named.has(link));
  return [...groups, ...group(groups.length === 0 ? 'Pages' : 'More', others)];
}

/** A family's operators stand in a table below its heading in docs/operators/README.md. */
function operatorFamilies() {
  const [, ...sections] = readFileSync(join(root, 'docs', 'operators', 'README.md'), 'utf8').split(/^## /m);
  return sections.flatMap((section) => {
    const names = [...section.matchAll(/^\| \[(\w+)\]\(\1\.md\) \| [\d.]+ \| .* \| .* \|$/gm)].map(([, name]) => name ?? '');
    return group(
      titleOf(section),
      names.map((text) => ({ text, link: `/operators/${text}` })),
      { collapsed: true },
    );
  });
}

/** What each entry exports, by kind. */
function apiEntries() {
  return entries.flatMap(({ name }) => {
    const items = name === operatorsEntry ? [{ text: 'All operators', link: '/operators/' }] : [];
    return group(name, [...items, ...apiKinds(`${apiFolder}/${name}`)], { collapsed: name !== siteName });
  });
}

/** @returns {Item[]} */
function apiKinds(/** @type {string} */ folder) {
  return ['namespaces', 'classes', 'functions', 'variables', 'interfaces', 'type-aliases'].flatMap((kind) => {
    const path = `${folder}/${kind}`;
    if (!existsSync(join(root, path))) return [];
    if (kind !== 'namespaces') return group(titleOfKind(kind), pagesIn(path), { collapsed: true });
    return readdirSync(join(root, path)).flatMap((name) => group(name, apiKinds(`${path}/${name}`), { collapsed: true }));
  });
}

function titleOfKind(/** @type {string} */ kind) {
  return kind.charAt(0).toUpperCase() + kind.slice(1).replace('-', ' ');
}

/** The pages that lie in a folder itself, but for its README, by title. */
function pagesIn(/** @type {string} */ folder) {
  const names = existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [];
  return names
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => {
      const file = posix.join(folder, name);
      const heading = /^# (.*)$/m.exec(readFileSync(join(root, file), 'utf8'))?.[1] ?? name;
      return { text: plain(heading), link: address(file) };
    })
    .sort((a, b) => a.text.localeCompare(b.text));
}

/** The address of a page in links. */
export function address(/** @type {string} */ file) {
  return `/${sitePath(file).replace(/(^|\/)index\.md$|\.md$/, '$1')}`;
}

/** Without Markdown, and without type parameters. */
function plain(/** @type {string} */ heading) {
  return heading.replace(/[`\\]/g, '').replace(/(<.*>)?(\(\))?$/, '');
}

/** The heading that the section of a page begins with. */
function titleOf(/** @type {string} */ section) {
  return section.split('\n', 1).join('').trim();
}

/** @returns {Item[]} */
function group(/** @type {string} */ text, /** @type {Item[]} */ items, /** @type {Item} */ more = {}) {
  return items.length === 0 ? [] : [{ text, items, ...more }];
}
