// @ts-check
// Puts the blocks that a browser can run into the component RunnableBlock, which adds the buttons. The block itself stays as it is.
import { runnableParts } from './programs.mjs';

/** A plugin of markdown-it. */
export function runnableBlocks(/** @type {import('vitepress').MarkdownRenderer} */ md) {
  md.core.ruler.push('runnable', (state) => {
    // The language of an indented block and of one in a list counts too.
    const fences = state.tokens.filter(({ type }) => type === 'fence');
    const blocks = fences.map(({ info, content }) => ({ language: info.trim(), code: content }));
    for (const { block, program } of runnableParts(blocks)) {
      const fence = fences[block];
      if (fence !== undefined) fence.meta = { ...fence.meta, program };
    }
  });
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const html = fence?.(tokens, index, options, env, self) ?? '';
    const program = tokens[index]?.meta?.program;
    return program === undefined ? html : `<RunnableBlock :program="${program}">\n${html}</RunnableBlock>\n`;
  };
}
