// @ts-check
// Writes the JavaScript of dist/ that Node.js runs. The library is in eight files, because each file that a program loads takes
// time. The first file is for `require('node-directml')`. The others have the code that only validation, the functions of
// operators, WebNN, files of weights, onnxruntime, the reference backend on the calling thread, and the command line need. Each
// module of lib/ also has a file of its own, which re-exports its exports. The package contains those that the field `files` of
// package.json names. The tests use the others, and so share all classes with the package.
import { readdirSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { checkout } from './common.mjs';

const lib = join(checkout, 'lib');
const inLib = (/** @type {string} */ path) => join(lib, ...path.split('/'));

/** The entry module of each of the eight files. A module is in the first file that needs it. */
const beginnings = [
  'index.ts',
  'validation/rules/index.ts',
  'operators/index.ts',
  'webnn/index.ts',
  'files/index.ts',
  'onnxruntime/index.ts',
  'backends/reference/index.ts',
  'cli/main.ts',
].map(inLib);
const names = ['library', 'rules', 'operators', 'webnn', 'files', 'onnxruntime', 'reference', 'tools'].map(
  (name) => `node-directml-${name}`,
);

/** Writes the files into a folder. */
export async function bundleForNode(/** @type {string} */ folder) {
  const sources = readdirSync(lib, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll(sep, '/'))
    .filter((path) => path.endsWith('.ts') && !path.startsWith('schema/operators/'));
  const modules = await rolldown({
    input: Object.fromEntries(sources.map((path) => [path.replace(/\.ts$/, ''), inLib(path)])),
    platform: 'node',
    external: 'onnxruntime-web/webgpu',
    treeshake: false,
    plugins: [
      { name: 'loaded later', resolveId: loadedLater },
      {
        name: 'exports',
        renderChunk(code, { name }) {
          const own = withOwnExports(code);
          return { code: name === 'index' ? withItselfAsDefault(own) : own, map: null };
        },
      },
    ],
    logLevel: 'warn',
  });
  const groups = names.map((name, i) => ({
    name,
    test: (/** @type {string} */ id) => id === beginnings[i],
    priority: names.length - i,
  }));
  await modules.write({
    dir: folder,
    format: 'cjs',
    exports: 'named',
    generatedCode: { symbols: false },
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    codeSplitting: { groups },
    comments: false,
    minify: false,
    sourcemap: true,
  });
  await modules.close();
  const forImport = await rolldown({
    input: {
      index: inLib('index.mts'),
      'files/index': inLib('files/index.mts'),
      'onnxruntime/index': inLib('onnxruntime/index.mts'),
      'operators/index': inLib('operators/index.mts'),
      'webnn/index': inLib('webnn/index.mts'),
    },
    platform: 'node',
    external: './index.js',
  });
  await forImport.write({ dir: folder, format: 'es', entryFileNames: '[name].mjs', comments: false, minify: false });
  await forImport.close();
}

/** `import` gives the exports of CommonJS as the default export, so the `default` of `require` must be the same object. */
function withItselfAsDefault(/** @type {string} */ code) {
  const getter = /return \w+\.lib_exports;/;
  if (!getter.test(code)) throw new Error('dist/index.js has no default export of this form');
  return code.replace(getter, 'return exports;');
}

/**
 * Lets the files load in a program that adds properties to Object.prototype, which `for…in` visits and descriptors inherit. Adds no
 * lines, so that source maps stay right.
 */
function withOwnExports(/** @type {string} */ code) {
  return code
    .replace('for (var name in all)', 'for (var name of __getOwnPropNames(all))')
    .replace(
      'var __defProp = Object.defineProperty;',
      'var { defineProperty, setPrototypeOf } = Object, __defProp = (to, key, desc) => defineProperty(to, key, setPrototypeOf(desc, null));',
    )
    .replaceAll(
      /^Object(\.defineProperty\(exports, "([\w$]+)", \{\n {2})(?=enumerable: true,$)/gm,
      // Node.js would take a definition of Object in this form for a computed one. An assignment that never runs names the export.
      '0 && (exports.$2 = 0); Reflect$1__proto__: null, ',
    );
}

/** Leaves outside the modules that are required only when they are needed. */
function loadedLater(/** @type {string} */ source, /** @type {string | undefined} */ from) {
  const loader = ['backends/reference/load.ts', 'validation/load-rules.ts'].find((path) => from === inLib(path));
  const isLater = loader !== undefined && source.endsWith('/index.js');
  return isLater ? { id: `./${posix.join(posix.dirname(loader), source)}`, external: /** @type {const} */ (true) } : null;
}
