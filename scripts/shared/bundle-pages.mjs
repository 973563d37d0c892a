// @ts-check
// Bundles the pages in docs/operators into one compressed file of dist/, for `npx node-directml operators`.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { checkout, stamp } from './common.mjs';

const pages = join(checkout, 'docs', 'operators');
const output = join(checkout, 'dist', 'cli', 'operators.json.br');

/** Writes the file if a page has changed. */
export function bundlePages() {
  const built = stamp('pages', [pages]);
  if (built.fresh && existsSync(output)) return;
  const read = (/** @type {string} */ file) => readFileSync(join(pages, file), 'utf8').replaceAll('\r\n', '\n');
  const texts = Object.fromEntries(readdirSync(pages).map((file) => [basename(file, '.md'), read(file)]));
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(output, brotliCompressSync(JSON.stringify(texts)));
  built.done();
}
