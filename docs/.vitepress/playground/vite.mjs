// @ts-check
// Teaches Vite to put the library into the pages: its TypeScript as it is, without what only Node.js can run.
import { join } from 'node:path';
import { root } from '../pages.mjs';

const library = join(root, 'lib');
const here = import.meta.dirname;
const node = join(here, 'node');

/** Files of lib/, by the ends of their names: variants for bundles, as in scripts/shared/bundle-module.mjs, and for browsers. */
const variants = [
  { ends: ['/load-rules.js'], file: join(library, 'validation', 'load-rules.mts') },
  { ends: ['/reference/load.js'], file: join(library, 'backends', 'reference', 'load.mts') },
  {
    ends: ['/current-file.js', '/directml/load.js', '/worker/backend.js', '/worker/locate.js'],
    file: join(node, 'backends.mjs'),
  },
];

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
      return variants.find(({ ends }) => ends.some((end) => source.endsWith(end)))?.file ?? null;
    },
  };
}
