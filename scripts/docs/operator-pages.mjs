// @ts-check
// Checks that the page of each operator explains every field.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '../shared/common.mjs';

/** @returns {{ pages: number, complete: number, missing: string[] }} `missing` names fields, such as `gemm.alpha` */
export function checkMeanings() {
  const folder = join(checkout, 'docs', 'operators');
  const names = readdirSync(folder)
    .filter((file) => file !== 'README.md')
    .map((file) => file.replace('.md', ''));
  const missing = names.map((name) => withoutMeaning(name, readFileSync(join(folder, `${name}.md`), 'utf8')));
  return { pages: names.length, complete: missing.filter((fields) => fields.length === 0).length, missing: missing.flat() };
}

/** Returns the fields in a page's table that have no meaning. */
export function withoutMeaning(/** @type {string} */ operator, /** @type {string} */ page) {
  const [, rows = ''] = /^## Fields\r?\n\r?\n\| field .*\r?\n\| --- .*\r?\n((?:\|.*\r?\n)+)/m.exec(page) ?? [];
  if (rows === '') return [`${operator}: no table of fields`];
  return rows
    .trimEnd()
    .split(/\r?\n/)
    .map((row) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .filter(([, , , , meaning = '']) => meaning.replace(/^(Input|Output)\./, '').trim() === '')
    .map(([, field = '']) => `${operator}.${field.replaceAll('`', '')}`);
}
