// Reads the rows of docs/differences.md, so that an operator's page can show the rows about the operator.
import { readFileSync } from 'node:fs';

/**
 * A row of a section. `cells` are in Markdown: the subject, the documentation, DirectML, and this package. `words` are the names in
 * the first cell, in lower case.
 * @typedef {{ section: string, cells: string[], words: Set<string> }} Difference
 */

/** Operators whose names are English words, too. Such a word means the operator only at the beginning of a row. */
const plainWords = new Set(['cast', 'fold', 'gather', 'join', 'padding', 'reduce', 'slice', 'split', 'tile']);

/** @returns {Difference[]} */
export function readDifferences(/** @type {string} */ path) {
  const [, ...sections] = readFileSync(path, 'utf8').replaceAll('\r\n', '\n').split(/^## /m);
  return sections.flatMap((text) => {
    const [section = '', ...lines] = text.split('\n');
    // The first two lines of a table are its head.
    const [head = '', , ...rows] = lines.filter((line) => line.startsWith('|'));
    const isOfPages = head.startsWith('| page |');
    return rows.map((row) => {
      const cells = row
        .replace(/^\| | \|$/g, '')
        .replaceAll('](#', '](../differences.md#')
        .split(' | ');
      const words = wordsOf(`${/\s/.test(section) ? '' : `${section}, `}${cells[0]}`);
      return { section, words, cells: isOfPages ? ['an example of the page', ...cells.slice(1)] : cells };
    });
  });
}

/** The rows about an operator. */
export function differencesOf(/** @type {string} */ name, /** @type {readonly Difference[]} */ differences) {
  return differences.filter(({ words }) => words.has(name.toLowerCase()));
}

/** Returns the names in the first cell. `…1` is a version of the name before it; `resample1 to resample3` are three names. */
function wordsOf(/** @type {string} */ text) {
  const whole = text
    .replaceAll('`', '')
    .replaceAll(
      /\b([a-z]\w*?)(\d?) to \1(\d)/gi,
      (_, /** @type {string} */ stem, /** @type {string} */ from, /** @type {string} */ to) =>
        versions(stem, Number(from), Number(to)).join(', '),
    )
    .replaceAll(
      /(\w+)((?:, …\d)+)/g,
      (_, /** @type {string} */ stem, /** @type {string} */ others) => `${stem}${others.replaceAll('…', stem)}`,
    );
  const [first = ''] = whole.split(/[:(]| (?:of|with|to|that|whose|from)\b/);
  const beginning = new Set(first.toLowerCase().match(/\w+/g));
  const all = whole.toLowerCase().match(/\w+/g) ?? [];
  return new Set(all.filter((word) => !plainWords.has(word) || beginning.has(word)));
}

/** Returns the names of an operator's versions. Version 0 has no digit. */
function versions(/** @type {string} */ stem, /** @type {number} */ from, /** @type {number} */ to) {
  return Array.from({ length: to - from + 1 }, (_, i) => (from + i === 0 ? stem : `${stem}${from + i}`));
}

/** Returns the anchor that GitHub gives to a heading. */
export function anchorOf(/** @type {string} */ title) {
  return title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
