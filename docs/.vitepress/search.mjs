// @ts-check
// The search of the site: how pages are cut into sections, and how MiniSearch ranks them. VitePress sends the functions that
// MiniSearch calls to the browser as text, so each of them contains everything that it uses.
// test/site/search-terms.ts lists terms with the page that must come first.

/**
 * Words, and the parts of camelCase words: `scatterNd` is also found by "scatter nd". `np.take` and `ERR_SIZES` are words as a
 * whole too. So are all of an operator's names elsewhere: `layer norm` and `torch.layer_norm` are also found by "layernorm". Type
 * parameters of headings, which are in HTML, do not count.
 */
function tokenize(/** @type {string} */ content, /** @type {string | undefined} */ field) {
  const text = content.replace(/&lt;.*?&gt;/g, ' ');
  const words = text.split(/[\s\p{P}\p{S}]+/u).filter((word) => word !== '');
  const parts = words.map((word) => word.split(/(?<=[\p{Ll}\d])(?=\p{Lu})/u)).filter((of) => of.length > 1);
  const dotted = text.match(/[\p{L}\d]+([._][\p{L}\d]+)+/gu) ?? [];
  const names = field === 'names' ? [...text.split(/[,;]/), ...dotted.map((name) => name.replace(/.*\./, ''))] : [];
  const whole = [...dotted, ...names].map((name) => name.replace(/[\s\p{P}\p{S}]+/gu, ''));
  return [...words, ...parts.flat(), ...whole.filter((word) => word !== '')];
}

/** Also joins neighbours, and all words: "top k", "err device lost" find `topK` and `ERR_DEVICE_LOST`. */
function tokenizeQuery(/** @type {string} */ text) {
  const words = text.split(/[\s\p{P}\p{S}]+/u).filter((word) => word !== '');
  const pairs = words.slice(1).map((word, i) => `${words[i]}${word}`);
  return [...words, ...pairs, ...(words.length > 2 ? [words.join('')] : [])];
}

/** Makes words comparable: lower case, and the singular of plurals. Leaves out words that say nothing. */
function processTerm(/** @type {string} */ word) {
  const lower = word.toLowerCase();
  if (/^(a|an|and|the|of|to|in|is|are|for|with|on|or|how|do|does|i|my)$/.test(lower)) return null;
  return lower.replace(/^(.{3,})ies$/, '$1y').replace(/^(..+[^s])s$/, '$1');
}

/** The names of an operator elsewhere, at the top of its page, are a field of their own. */
function extractField(/** @type {Record<string, any>} */ section, /** @type {string} */ field) {
  if (field !== 'names') return section[field];
  const lines = [...section['text'].matchAll(/^\s*(?:Also known as|Search words): (.*)\.\s*$/gm)].map(([, names]) => names);
  return lines.join(', ').replace(/\b(ONNX|WebNN|PyTorch)\s/g, '');
}

/** A name of several words is rarer than its words, and says more. */
function boostTerm(/** @type {string} */ term, /** @type {number} */ _i, /** @type {string[]} */ terms) {
  const others = terms.filter((other) => other !== term);
  return others.some((word) => term.startsWith(word)) && others.some((word) => term.endsWith(word)) ? 2 : 1;
}

/** Short words are typed as they are meant: `gpu` is not a mistaken `gru`. */
function fuzzy(/** @type {string} */ word) {
  return word.length > 4 ? 0.2 : false;
}

/**
 * How much a section counts for a word. The top of a page says what the page is about. The front page speaks of everything a
 * little. Recipes come after the guides that explain them. A list of pages, operators or exports has the names of all, and counts
 * least. The functions of arrays and layers, each a section, count more. Of the API, what the package itself exports comes before
 * what `node-directml/onnx` and the like do. A page whose whole name is the word comes before those that have it as a part:
 * `Tensor` before `TensorDesc`.
 */
function boostDocument(/** @type {string} */ id, /** @type {string} */ word, /** @type {any} */ { titles }) {
  if (/^\/[^/]*\/(recipes)?(#|$)/.test(id)) return 0.5;
  if (/\/documentation(#|$)/.test(id)) return 0.3;
  if (/\/(array|layer)-functions(#|$)/.test(id)) return 1.1;
  const top = titles.length === 0 ? 1.5 : 1;
  const [, folder, page = ''] = /\/(operators|api)\/([^#]*)/.exec(id) ?? [];
  if (folder === undefined) return top;
  if (page === '' || page.endsWith('/')) return 0.3;
  const name = page.replace(/^.*\//, '').toLowerCase();
  const isName = word === name || word === name.replace(/^(activation|elementwise)/, '');
  if (page.split('/').length > 3) return 0.2 * top;
  return (folder === 'api' ? 0.6 : 1) * top * (top > 1 && isName ? 3 : 1);
}

/**
 * `titles` are the headings from the page's own to this one, in HTML.
 * @returns {{ anchor: string, titles: string[], text: string }[]}
 */
function sectionsOf(/** @type {string} */ _file, /** @type {string} */ html) {
  const [, ...parts] = html.split(/<h(\d)[^>]*>(.*?)<a [^>]*href="#([^"]*)"[^>]*>.*?<\/a><\/h\1>/s);
  /** @type {string[]} */
  const titles = [];
  return Array.from({ length: parts.length / 4 }, (_, i) => {
    const [level, heading = '', anchor = '', content = ''] = parts.slice(4 * i, 4 * i + 4);
    titles.length = Math.min(titles.length, Number(level) - 1);
    titles.push(heading.replace(/<[^>]*>/g, '').trim());
    return { anchor, titles: [...titles], text: textOf(content) };
  });
}

const entities = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&amp;', '&'],
]);

function textOf(/** @type {string} */ html) {
  return html.replace(/<figure.*?<\/figure>|<[^>]*>/gs, ' ').replace(/&\w+;/g, (entity) => entities.get(entity) ?? ' ');
}

/**
 * The programs and signatures of generated pages say nothing that their text does not, and would fill the index.
 * @param {string} source
 * @param {{ path: string, relativePath: string, cleanUrls: boolean }} env
 * @param {{ render: (source: string, env: object) => string }} markdown
 */
function render(source, env, markdown) {
  // The sections of array-functions and layer-functions say the same.
  if (/(^|\/)api\/[\w-]+\/(array|nn)\/(functions|variables|namespaces)\//.test(env.relativePath)) return '';
  const isGenerated = /(^|\/)(operators|api)\//.test(env.relativePath);
  return markdown.render(isGenerated ? source.replace(/^```.*?^```$/gms, '') : source, env);
}

/** How MiniSearch makes its index. */
const options = {
  fields: ['title', 'titles', 'names', 'text'],
  storeFields: ['title', 'titles'],
  tokenize,
  processTerm,
  extractField,
};

/** How MiniSearch searches in it. */
const searchOptions = {
  tokenize: tokenizeQuery,
  prefix: true,
  fuzzy,
  boost: { title: 4, titles: 1, names: 6, text: 2 },
  boostTerm,
  weights: { prefix: 0.3, fuzzy: 0.1 },
  boostDocument,
};

/** Each result shows the text in which the words were found. */
export const search = {
  detailedView: true,
  _render: render,
  miniSearch: { _splitIntoSections: sectionsOf, options, searchOptions },
};
