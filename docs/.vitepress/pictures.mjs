// @ts-check
// Draws the graphs of Mermaid blocks while the site is built. The pages need no script and no other server for them.
import { renderMermaidSVG } from 'beautiful-mermaid';

/** The picture's colours are those of the page, in light and in dark. */
const colors = { bg: 'var(--vp-c-bg)', fg: 'var(--vp-c-text-1)', transparent: true };

/** A plugin of markdown-it. */
export function graphPictures(/** @type {import('vitepress').MarkdownRenderer} */ md) {
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index];
    if (token?.info.trim() === 'mermaid') return picture(token.content);
    return fence?.(tokens, index, options, env, self) ?? '';
  };
}

function picture(/** @type {string} */ mermaid) {
  // Its style would load a font from another server; theme/style.css has what is needed of it.
  const svg = renderMermaidSVG(mermaid, colors).replace(/<style>.*?<\/style>/s, '');
  return `<figure class="graph" v-pre>${svg}</figure>\n`;
}
