// @ts-check
// Runs the programs of the pages that a browser can run too, in Node.js with the built package, for comparison.
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import ts from 'typescript';
import { blocksOf, operatorExamples, runnableParts } from '../../docs/.vitepress/playground/programs.mjs';
import { checkout, remove } from '../shared/common.mjs';

/**
 * @typedef {object} PageProgram
 * @property {string} page its file
 * @property {string} name the file's name without its ending
 * @property {number} number among the page's programs, from 1
 * @property {string[]} blocks
 */

/** Printed between the blocks of a program. */
const between = '-- next block --';
const folder = join(checkout, 'build', 'docs', 'programs');

/** @returns {PageProgram[]} */
export function operatorPrograms() {
  return operatorExamples().map(({ name, code }) => ({ page: `docs/operators/${name}.md`, name, number: 1, blocks: [code] }));
}

/** The programs of all other pages. */
export function pagePrograms() {
  const pages = ['.', 'docs', 'docs/guides'].flatMap((parent) =>
    readdirSync(join(checkout, parent))
      .filter((name) => name.endsWith('.md'))
      .map((name) => (parent === '.' ? name : `${parent}/${name}`)),
  );
  return pages.flatMap((page) => {
    const blocks = blocksOf(page);
    /** @type {Map<number, PageProgram>} */
    const programs = new Map();
    for (const { block, program } of runnableParts(blocks)) {
      const known = programs.get(program) ?? { page, name: page.replace(/^.*\/|\.md$/g, ''), number: program + 1, blocks: [] };
      known.blocks.push(blocks[block]?.code ?? '');
      programs.set(program, known);
    }
    return [...programs.values()];
  });
}

/** What each program prints, by block. */
export async function outputsInNode(/** @type {readonly PageProgram[]} */ programs) {
  remove(folder);
  mkdirSync(folder, { recursive: true });
  const thread = new Worker(join(checkout, 'test', 'docs', 'program-thread.mjs'));
  /** @type {Map<PageProgram, string[]>} */
  const outputs = new Map();
  try {
    for (const [i, program] of programs.entries()) {
      const file = join(folder, `${program.name}-${i}.mjs`);
      writeFileSync(file, plain(program.blocks.join(`console.log('${between}');\n`)));
      thread.postMessage(pathToFileURL(file).href);
      const [printed] = await once(thread, 'message');
      outputs.set(program, String(printed).split(new RegExp(`\n?${between}\n?`)));
    }
  } finally {
    await thread.terminate();
  }
  return outputs;
}

/** The program without its types, and without `using` for older versions of Node.js. */
function plain(/** @type {string} */ code) {
  return ts.transpile(code, { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext });
}
