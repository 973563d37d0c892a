// @ts-check
// The search of the site. VitePress sends these functions to the browser as text, so each has all that it uses.

/** Words, and the parts of camelCase words: `scatterNd` is also found by "scatter nd". */
function tokenize(/** @type {string} */ text) {
  const words = text.split(/[\s\p{P}\p{S}]+/u).filter((word) => word !== '');
  const parts = words.map((word) => word.split(/(?<=[\p{Ll}\d])(?=\p{Lu})/u));
  return words.concat(parts.filter((of) => of.length > 1).flat());
}

/**
 * How much a section counts for a word. The top of an operator's page, which has its other names, counts most; a table of the
 * index of operators, which has those names too, least. A page whose whole name is the word comes before those that have it
 * as a part: `Tensor` before `TensorDesc`.
 */
function boostDocument(/** @type {string} */ id, /** @type {string} */ word) {
  const [, folder, page = '', anchor = ''] = /\/(operators|api)\/([^#]*)#?(.*)$/.exec(id) ?? [];
  if (folder === undefined) return 1;
  if (page === '') return 0.3;
  const name = page.replace(/^.*\//, '').toLowerCase();
  const isTop = anchor.startsWith(name);
  return (folder === 'api' ? 0.7 : 1) * (isTop ? 1.5 : 1) * (isTop && word === name ? 3 : 1);
}

/** @type {import('vitepress').DefaultTheme.LocalSearchOptions} */
export const search = {
  // The programs and signatures of generated pages say nothing that their text does not, and would fill the index.
  _render(source, env, markdown) {
    const isGenerated = /(^|\/)(operators|api)\//.test(env.relativePath);
    return markdown.render(isGenerated ? source.replace(/^```.*?^```$/gms, '') : source, env);
  },
  miniSearch: { options: { tokenize }, searchOptions: { boostDocument } },
};
