// @ts-check
// Writes the JavaScript of dist/ that Node.js runs. The library is in a few files, because each file that a program loads takes
// time, as does each function that it has. `require('node-directml')` loads the first one, with the classes and functions that
// lib/index.ts exports and what defines them. It loads the others when it first uses them. Each module of lib/ also has a file of
// its own, which re-exports its exports. The package contains those that the field `files` of package.json names. The tests use
// the others, and so share all classes with the package.
import { readdirSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { minifySync } from 'rolldown/utils';
import { checkout, shortened } from './common.mjs';

const lib = join(checkout, 'lib');
const inLib = (/** @type {string} */ path) => join(lib, ...path.split('/'));

/**
 * The files, and the modules of lib/ that each begins with; `/*` stands for those of a folder with which no earlier file begins.
 * What index.ts exports is in the first file. A file also has what its modules import, unless another begins with it or an earlier
 * one has it.
 * @type {readonly (readonly [name: string, ...beginnings: readonly string[]])[]}
 */
const files = [
  // The last three keep timers and other functions of Node.js as they are now, because a program may replace them later.
  ['library', 'index.ts', 'api/pace.ts', 'api/event-loop.ts', 'api/call-site.ts'],
  [
    'device',
    'api/*',
    'api/operators/*',
    'api/memory/*',
    'api/recording/*',
    'backends/*',
    'backends/reference/worker/locate.ts',
    'tensors/*',
    'tensors/generated/enums.ts',
    'values/arguments.ts',
    'values/input.ts',
    'values/near-names.ts',
    'values/typed-array-name.ts',
    'values/without-prototypes.ts',
    'descriptors/feature-level.ts',
    'descriptors/table-of.ts',
    'descriptors/tensor.ts',
    'operators/indices.ts',
  ],
  [
    'rules',
    'operators/resolve.ts',
    'descriptors/strict.ts',
    'descriptors/generated/table.ts',
    'descriptors/generated/other-names.ts',
  ],
  ['graphs', 'graph/*', 'api/graphs/*'],
  ['sharing', 'api/sharing/*'],
  ['directml', 'backends/directml/index.ts'],
  ['worker', 'backends/reference/worker/backend.ts'],
  ['operators', 'functions/index.ts'],
  ['webnn', 'webnn/index.ts'],
  ['files', 'files/index.ts', 'onnx/protobuf.ts'],
  ['reference', 'backends/reference/index.ts'],
  ['gradients', 'gradients/index.ts'],
  ['array', 'array/index.ts'],
  ['nn', 'nn/index.ts'],
  ['onnx', 'onnx/index.ts', 'onnxruntime/placement.ts'],
  ['onnxruntime', 'onnxruntime/index.ts'],
  ['tools', 'cli/main.ts'],
];
const names = new Set(files.map(([name]) => name));

/** Writes the files into a folder. */
export async function bundleForNode(/** @type {string} */ folder) {
  const sources = readdirSync(lib, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll(sep, '/'))
    .filter((path) => path.endsWith('.ts'));
  const modules = await rolldown({
    input: Object.fromEntries(sources.map((path) => [path.replace(/\.ts$/, ''), inLib(path)])),
    platform: 'node',
    external: 'onnxruntime-common',
    preserveEntrySignatures: 'allow-extension',
    treeshake: false,
    plugins: [
      {
        name: 'exports',
        renderChunk(code, { name }) {
          const own = inAscii(withOwnExports(names.has(name) ? asFile(name, code) : withLibrary(code)));
          if (names.has(name)) return minifySync(`${name}.js`, own, { ...shortened, sourcemap: true });
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
    chunkFileNames: ({ name }) => (names.has(name) ? `node-directml-${name}.js` : `${name}.js`),
    codeSplitting: { groups: [{ name: fileOfModules(), debugName: 'files', includeDependenciesRecursively: false }] },
    comments: false,
    minify: false,
    sourcemap: true,
  });
  await modules.close();
  const forImport = await rolldown({
    input: {
      index: inLib('index.mts'),
      'array/index': inLib('array/index.mts'),
      'files/index': inLib('files/index.mts'),
      'gradients/index': inLib('gradients/index.mts'),
      'nn/index': inLib('nn/index.mts'),
      'onnx/index': inLib('onnx/index.mts'),
      'onnxruntime/index': inLib('onnxruntime/index.mts'),
      'functions/index': inLib('functions/index.mts'),
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
 * eighth of the text that Node.js must read. A file other than the library exports a function, which the library calls once: so the
 * file belongs to this copy of the library, even if the program has since cleared the cache of `require`.
 */
function asFile(/** @type {string} */ file, /** @type {string} */ code) {
  const getter =
    /^Object\.defineProperty\(exports, "([\w$]+)", \{\n {2}enumerable: true,\n {2}get: function \(\) \{\n {4}return ([\w$]+);\n {2}\}\n\}\);\n?/gm;
  const exported = [...code.matchAll(getter)].map(([, name, value]) => (name === value ? name : `${name}: ${value}`)).join(', ');
  const body = code.replace(getter, '');
  if (file === 'library') {
    return `${definesLate}${withLateFiles(body, 'late', 'module.exports')}module.exports = { ${exported}, late, lateFiles: { __proto__: null } };\n`;
  }
  const own = body.replace('const require_library = require("./node-directml-library.js");', '');
  // V8 compiles a function in parentheses at once, and so reads the file only once.
  return `const evaluate = (function (require_library) { ${withLateFiles(own, 'require_library.late', 'require_library')}return { ${exported} }; });
module.exports = (library) => library.lateFiles.${file} ??= evaluate(library);
`;
}

/** Stands for the exports of a file until one of them is first used. A program may replace Proxy later. */
const definesLate =
  'const { Proxy } = globalThis, late = (load) => new Proxy({}, { __proto__: null, get: (_, name) => load()[name] }); ';

/** Lets a file load the others when it first uses them. Adds no lines, so that source maps stay right. */
function withLateFiles(/** @type {string} */ code, /** @type {string} */ late, /** @type {string} */ library) {
  return code.replace(
    /^const (require_(?!library)\w+) = (require\("\.\/node-directml-.*\));$/gm,
    `let $1 = ${late}(() => $1 = $2(${library}));`,
  );
}

/** Escapes all characters but those of ASCII. With a single other one, V8 takes a third longer to read a file. */
function inAscii(/** @type {string} */ code) {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Lets other modules load the files of the library that they load. */
function withLibrary(/** @type {string} */ code) {
  return code.replaceAll(/require\("([./]+)node-directml-(?!library)\w+\.js"\)/g, '$&(require("$1node-directml-library.js"))');
}

/** @returns {(module: string, context: import('rolldown').ChunkingContext) => string | null} the file of a module */
function fileOfModules() {
  /** @type {Map<string, string> | undefined} */
  let all;
  return (module, context) => (all ??= assignFiles(context)).get(module) ?? null;
}

function assignFiles(/** @type {import('rolldown').ChunkingContext} */ context) {
  const needs = (/** @type {string} */ module) =>
    context.getModuleInfo(module)?.importedIds.filter((id) => id.startsWith(lib)) ?? [];
  /** @type {Map<string, string>} */
  const all = new Map();
  const assign = (/** @type {string} */ name, /** @type {readonly string[]} */ modules) => {
    const own = modules.filter((module) => !all.has(module));
    for (const module of own) all.set(module, name);
    return own;
  };
  const index = inLib('index.ts');
  const begun = files.map(([name, ...paths]) => {
    const modules = paths.flatMap((path) => (path.endsWith('/*') ? modulesIn(inLib(dirname(path))) : inLib(path)));
    return { name, modules: assign(name, modules.includes(index) ? [...modules, ...needs(index)] : modules) };
  });
  for (const { name, modules } of begun) for (const module of modules) modules.push(...assign(name, needs(module)));
  return all;
}

function modulesIn(/** @type {string} */ folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}
