// @ts-check
// Pictures that the pages on GitHub do not have: drawn graphs in place of Mermaid blocks, and above the example of an operator
// what it does to small tensors. They are drawn while the site is built; the pages need no script and no other server for them.
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { renderMermaidSVG } from 'beautiful-mermaid';
import { root, tensorFolder } from './pages.mjs';

/** The picture's colours are those of the page, in light and in dark. */
const colors = { bg: 'var(--vp-c-bg)', fg: 'var(--vp-c-text-1)', transparent: true };

/** A plugin of markdown-it, for Mermaid blocks. */
export function graphPictures(/** @type {import('vitepress').MarkdownRenderer} */ md) {
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index];
    if (token?.info.trim() === 'mermaid') return picture(token.content);
    return fence?.(tokens, index, options, env, self) ?? '';
  };
}

/** A plugin of markdown-it, for pages of operators. site.mjs has written the pictures before. */
export function tensorPictures(/** @type {import('vitepress').MarkdownRenderer} */ md) {
  md.core.ruler.push('tensor-pictures', ({ tokens, env, Token }) => {
    if (!/(^|\/)operators\/\w+\.md$/.test(env.relativePath)) return;
    const file = join(root, tensorFolder, `${basename(env.relativePath, '.md')}.html`);
    const example = tokens.findIndex(({ type, tag }) => type === 'heading_open' && tag === 'h2');
    if (example === -1 || !existsSync(file)) return;
    const figure = new Token('html_block', '', 0);
    figure.content = readFileSync(file, 'utf8');
    tokens.splice(example, 0, figure);
  });
}

function picture(/** @type {string} */ mermaid) {
  // Its style would load a font from another server; theme/style.css has what is needed of it.
  const svg = renderMermaidSVG(mermaid, colors).replace(/<style>.*?<\/style>/s, '');
  return `<figure class="graph" v-pre>${svg}</figure>\n`;
}
