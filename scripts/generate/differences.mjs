// The sections of docs/differences.md, so that an operator's page can point to those that are about it.
import { readFileSync } from 'node:fs';

/** @typedef {{ title: string, anchor: string, about: (name: string) => boolean }} Section */

/** @returns {Section[]} */
export function readDifferences(/** @type {string} */ path) {
  const [, ...sections] = readFileSync(path, 'utf8').replaceAll('\r\n', '\n').split(/^## /m);
  return sections.map((section) => {
    const [title = '', ...lines] = section.split('\n');
    // The first cell of a row says what it is about.
    const subjects = lines.filter((line) => line.startsWith('|')).map((line) => line.split('|')[1] ?? '');
    const words = new Set([title, ...subjects].flatMap((text) => text.toLowerCase().match(/\w+/g) ?? []));
    return { title, anchor: anchorOf(title), about: (name) => words.has(name.toLowerCase()) };
  });
}

/** What GitHub calls a heading in a link. */
export function anchorOf(/** @type {string} */ title) {
  return title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
