// @ts-check
// The search of the site. VitePress sends these functions to the browser as text, so each has all that it uses.

/** Words, and the parts of camelCase words: `scatterNd` is also found by "scatter nd". */
function tokenize(/** @type {string} */ text) {
  const words = text.split(/[\s\p{P}\p{S}]+/u).filter((word) => word !== '');
  const parts = words.map((word) => word.split(/(?<=[\p{Ll}\d])(?=\p{Lu})/u));
  return words.concat(parts.filter((of) => of.length > 1).flat());
}

/** @type {import('vitepress').DefaultTheme.LocalSearchOptions} */
export const search = {
  miniSearch: { options: { tokenize } },
};
