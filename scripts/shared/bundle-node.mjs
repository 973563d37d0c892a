// @ts-check
// Writes the JavaScript of dist/ that Node.js runs. The library is in ten files, because each file that a program loads takes
// time. The first file is for `require('node-directml')`. The others have the code that only validation, a backend, the functions
// of operators, WebNN, files of weights, onnxruntime, the kernels on the calling thread, and the command line need. Each module of
// lib/ also has a file of its own, which re-exports its exports. The package contains those that the field `files` of package.json
// names. The tests use the others, and so share all classes with the package.
import { readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { checkout } from './common.mjs';

const lib = join(checkout, 'lib');
const inLib = (/** @type {string} */ path) => join(lib, ...path.split('/'));

/**
 * The entry modules of the files. A module is in the first file that needs it; what the backends share is in the library. Of a
 * folder, the file has all modules that no earlier file needs.
 * @type {readonly (readonly [name: string, module: string, folder?: string])[]}
 */
const beginnings = [
  ['library', 'index.ts', 'backends'],
  ['rules', 'validation/rules/index.ts', 'schema/generated'],
  ['directml', 'backends/directml/index.ts'],
  ['worker', 'backends/reference/worker/backend.ts'],
  ['operators', 'operators/index.ts'],
  ['webnn', 'webnn/index.ts'],
  ['files', 'files/index.ts'],
  ['onnxruntime', 'onnxruntime/index.ts'],
  ['reference', 'backends/reference/index.ts'],
  ['tools', 'cli/main.ts'],
];
const groups = beginnings.map(([name, path, folder], i) => ({
  name: `node-directml-${name}`,
  test: (/** @type {string} */ module) => module === inLib(path) || (folder !== undefined && dirname(module) === inLib(folder)),
  priority: beginnings.length - i,
}));

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
          const own = inAscii(withOwnExports(groups.some((group) => group.name === name) ? withPlainExports(code) : code));
          return { code: name === 'index' ? withItselfAsDefault(own) : own, map: null };
        },
      },
    ],
    logLevel: 'warn',
  });
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

/**
 * Exports all that one of the large files exports by one object, as they define it before they end. A getter for each of it is an
 * eighth of the text that Node.js must read.
 */
function withPlainExports(/** @type {string} */ code) {
  const getter =
    /^Object\.defineProperty\(exports, "([\w$]+)", \{\n {2}enumerable: true,\n {2}get: function \(\) \{\n {4}return ([\w$]+);\n {2}\}\n\}\);\n?/gm;
  const exported = [...code.matchAll(getter)].map(([, name, value]) => (name === value ? name : `${name}: ${value}`));
  return `${code.replace(getter, '')}module.exports = { ${exported.join(', ')} };\n`;
}

/** Escapes all characters but those of ASCII. With a single other one, V8 takes a third longer to read a file. */
function inAscii(/** @type {string} */ code) {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Leaves outside the modules that are required only when they are needed. */
function loadedLater(/** @type {string} */ source, /** @type {string | undefined} */ from) {
  if (from === undefined || !/[\\/]load(-rules)?\.ts$/.test(from) || !source.startsWith('./')) return null;
  const path = relative(lib, join(dirname(from), source)).replaceAll(sep, '/');
  return { id: `./${path}`, external: /** @type {const} */ (true) };
}
