// @ts-check
// Teaches Vite to put the library into the pages: its TypeScript as it is, without what only Node.js can run.
import { join } from 'node:path';
import { locateVariant } from '../../../scripts/shared/bundle-module.mjs';
import { root } from '../pages.mjs';

const library = join(root, 'lib');
const here = import.meta.dirname;
const node = join(here, 'node');

/** The ends of the names of files of lib/ that backends.mjs replaces. */
const replaced = ['/current-file.js', '/directml/index.js', '/worker/backend.js', '/worker/locate.js'];

/** @returns {import('vitepress').Plugin} */
export function playground() {
  return {
    name: 'playground',
    enforce: 'pre',
    resolveId(source, importer = '') {
      if (importer.startsWith(here)) {
        const [, path] = /\/lib\/(.*)\.js$/.exec(source) ?? [];
        return path === undefined ? null : join(library, `${path}.ts`);
      }
      if (!importer.startsWith(library)) return null;
      if (source.startsWith('node:')) return join(node, source === 'node:util' ? 'util.mjs' : 'builtins.mjs');
      return replaced.some((end) => source.endsWith(end)) ? join(node, 'backends.mjs') : locateVariant(source, importer);
    },
  };
}
