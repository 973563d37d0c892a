// Reads the sections of docs/differences.md, so that an operator's page can link to those about the operator.
import { readFileSync } from 'node:fs';

/**
 * `about` is true if the section is about the operator of that name.
 * @typedef {{ title: string, anchor: string, about: (name: string) => boolean }} Section
 */

/** @returns {Section[]} */
export function readDifferences(/** @type {string} */ path) {
  const [, ...sections] = readFileSync(path, 'utf8').replaceAll('\r\n', '\n').split(/^## /m);
  return sections.map((section) => {
    const [title = '', ...lines] = section.split('\n');
    // The first cell of a row names its operators.
    const subjects = lines.filter((line) => line.startsWith('|')).map((line) => line.split('|')[1] ?? '');
    const words = new Set([title, ...subjects].flatMap((text) => text.toLowerCase().match(/\w+/g) ?? []));
    return { title, anchor: anchorOf(title), about: (name) => words.has(name.toLowerCase()) };
  });
}

/** Returns the anchor that GitHub gives to a heading. */
export function anchorOf(/** @type {string} */ title) {
  return title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
