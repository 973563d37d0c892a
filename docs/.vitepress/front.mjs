// @ts-check
// The front page is the README. Above its text it shows what a visitor looks for: the name, what it is, whom it is for, the first
// program and the three facts of the first table. All of them are taken from their places in the README.

/** A graph of three nodes. */
export const mark =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M4 4l4 8 4-8" fill="none" stroke="#5672cd"/>' +
  '<g fill="#5672cd"><circle cx="4" cy="4" r="3"/><circle cx="12" cy="4" r="3"/><circle cx="8" cy="12" r="3"/></g></svg>';

/** How the front page differs from others. VitePress calls it for each page. */
export function transformPageData(/** @type {import('vitepress').PageData} */ { relativePath, frontmatter }) {
  if (isFrontPage(relativePath)) Object.assign(frontmatter, { pageClass: 'front', sidebar: false, aside: false });
}

/** A plugin of markdown-it. Use it after those that look at links and programs. */
export function frontPage(/** @type {import('vitepress').MarkdownRenderer} */ md) {
  md.core.ruler.push('front-page', (state) => {
    if (!isFrontPage(state.env.relativePath)) return;
    const blocks = blocksOf(state.tokens);
    const find = (/** @type {(first: Token) => boolean} */ isFound) =>
      blocks.findIndex(([first]) => first !== undefined && isFound(first));
    const table = find(({ type }) => type === 'table_open');
    const program = find(({ info }) => info === 'js');
    const title = find(({ tag }) => tag === 'h1');
    const html = (/** @type {string} */ content) => Object.assign(new state.Token('html_block', '', 0), { content });
    const at = (/** @type {number} */ index) => blocks[index] ?? [];
    const facts = at(table).filter(({ type }) => type === 'inline');
    const count = facts.length / 2;
    const listed = facts.slice(0, count).flatMap((fact, i) => {
      return [html('<li><strong>'), fact, html('</strong>'), ...facts.slice(count + i, count + i + 1), html('</li>')];
    });
    const taken = new Set([title, title + 1, table - 1, table, program]);
    state.tokens = [
      html(`<div class="face"><div class="about">${mark}`),
      ...[title, title + 1, table - 1].flatMap(at),
      html('</div>'),
      ...at(program),
      html('<ul class="facts">'),
      ...listed,
      html('</ul></div>'),
      ...blocks.filter((_, i) => !taken.has(i)).flat(),
    ];
  });
}

/** @typedef {import('markdown-it').Token} Token */

/** Headings, paragraphs, tables and so on, each with the tokens between its begin and its end. */
function blocksOf(/** @type {readonly Token[]} */ tokens) {
  /** @type {Token[][]} */
  const blocks = [];
  let depth = 0;
  for (const token of tokens) {
    if (depth === 0) blocks.push([]);
    blocks.at(-1)?.push(token);
    depth += token.nesting;
  }
  return blocks;
}

function isFrontPage(/** @type {string} */ path) {
  return path === 'index.md';
}
