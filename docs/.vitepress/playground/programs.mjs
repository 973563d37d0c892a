// @ts-check
// Which blocks of a page are programs that a browser can run. test/support/pages.ts says what belongs to a program.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../pages.mjs';

/**
 * @typedef {object} Block
 * @property {string} language
 * @property {string} code
 *
 * @typedef {object} Part a block of a program that a browser can run
 * @property {number} block its index among all blocks of the page
 * @property {number} program counted from 0
 * @property {string} before the blocks of the same program above it
 *
 * @typedef {object} Example
 * @property {'Guides' | 'Recipes' | 'Operators'} group
 * @property {string} name that of the page, the heading or the operator
 * @property {string} code
 */

const entries = ['', '/array', '/gradients', '/nn', '/operators', '/webnn'].map((path) => `node-directml${path}`);

/** What needs Node.js or Windows although its imports do not say so. */
const needsNode =
  /\brequire\(|\bimport\(|\bimport\.meta\b|\bprocess\.|\baddonPath\b|\bdirectmlPath\b|'directml'|thread: 'worker'/;

/** @returns {Part[]} the blocks that can be run, in the order of the page */
export function runnableParts(/** @type {readonly Block[]} */ blocks) {
  /** @type {number[][]} */
  const programs = [];
  for (const [i, { language, code }] of blocks.entries()) {
    if (!['js', 'ts'].includes(language) || /^\/\/ [\w./-]+\.[cm]?[jt]s\n/.test(code)) continue;
    if (code.startsWith('import ')) programs.push([i]);
    else programs.at(-1)?.push(i);
  }
  const codeOf = (/** @type {readonly number[]} */ members) => members.map((i) => blocks[i]?.code ?? '').join('');
  return programs
    .filter((members) => runsInBrowser(codeOf(members)))
    .flatMap((members, program) => members.map((block, i) => ({ block, program, before: codeOf(members.slice(0, i)) })));
}

/** True if a program needs nothing but the library. */
function runsInBrowser(/** @type {string} */ code) {
  const imported = [...code.matchAll(/^(?:import|\}) .*?'([^']+)';$/gm)].map(([, name = '']) => name);
  return imported.length > 0 && imported.every((name) => entries.includes(name)) && !needsNode.test(code);
}

/** The blocks of a page in Markdown. */
export function blocksOf(/** @type {string} */ file) {
  const text = readFileSync(join(root, file), 'utf8').replaceAll('\r\n', '\n');
  return [...text.matchAll(/^ *```(\w*)\n(.*?)^ *```$/gms)].map(([, language = '', code = '']) => ({ language, code }));
}

/** Pages of docs whose first program the playground offers. */
const guides = [
  ...['functions.md', 'guides/arrays.md', 'jit.md', 'guides/gradients.md', 'guides/layers.md', 'graphs.md', 'webnn.md'],
  ...['guides/broadcasting.md', 'guides/quantized-data.md', 'guides/language-models.md'],
];

/** @returns {Example[]} what the playground offers */
export function allExamples() {
  const ofGuides = guides.flatMap((page) => programsOf(join('docs', page)).slice(0, 1));
  return [
    ...ofGuides.map(({ title, code }) => ({ group: /** @type {const} */ ('Guides'), name: title, code })),
    ...programsOf(join('docs', 'recipes.md')).map(({ heading, code }) => {
      return { group: /** @type {const} */ ('Recipes'), name: heading, code };
    }),
    ...operatorExamples(),
  ];
}

/** The programs of a page that a browser can run, with the title of the page and the heading above each. */
function programsOf(/** @type {string} */ file) {
  const text = readFileSync(join(root, file), 'utf8').replaceAll('\r\n', '\n');
  const [, title = ''] = /^# (.*)$/m.exec(text) ?? [];
  let heading = title;
  const blocks = [...text.matchAll(/^ *```(\w*)\n(.*?)^ *```$|^#{2,3} ([^\n]*)$/gms)].flatMap((match) => {
    const [, language, code = '', next] = match;
    if (next !== undefined) heading = next;
    return language === undefined ? [] : [{ language, code, heading }];
  });
  /** @type {{ title: string, heading: string, code: string }[]} */
  const programs = [];
  for (const { block, program } of runnableParts(blocks)) {
    const { code = '', heading: above = title } = blocks[block] ?? {};
    const known = programs[program];
    if (known === undefined) programs.push({ title, heading: above, code });
    else known.code += `\n${code}`;
  }
  return programs;
}

/** @returns {Example[]} the example on each page of docs/operators */
export function operatorExamples() {
  const names = readdirSync(join(root, 'docs', 'operators')).map((file) => file.replace(/\.md$/, ''));
  return names.flatMap((name) => {
    const [example] = name === 'README' ? [] : blocksOf(join('docs', 'operators', `${name}.md`));
    return example?.language === 'ts' ? [{ group: /** @type {const} */ ('Operators'), name, code: example.code }] : [];
  });
}
