// @ts-check
// The lists of functions of arrays and layers have a table with a row for each function. The site shows each row as a section, so
// that it has an address, the menu has its name, and the search finds it.

/** A plugin of markdown-it. */
export function functionSections(/** @type {import('vitepress').MarkdownRenderer} */ md) {
  md.core.ruler.before('normalize', 'function-sections', (state) => {
    if (/(array|layer)-functions\.md$/.test(state.env.relativePath)) state.src = rowsAsSections(state.src);
  });
}

/** The rows of a table follow what else the table's section says. */
function rowsAsSections(/** @type {string} */ source) {
  const [begin = '', ...sections] = source.split(/^(?=## )/m);
  const header = /^\| function \| .*\n\| --- .*\n/gm;
  const row = /^\| `([\w.]+)(\(.*?)` \| (.*) \|\n/gm;
  const written = sections.map((section) => {
    const functions = [...section.matchAll(row)].map(([, name, rest, text]) => `### ${name}\n\n\`${name}${rest}\`: ${text}\n\n`);
    return `${section.replace(header, '').replace(row, '')}\n\n${functions.join('')}`;
  });
  return begin + written.join('');
}
