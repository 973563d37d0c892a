// @ts-check
// Bundles the library into ES modules for bundlers, dist/module: the condition "module" of package.json. Bundlers cannot put
// dist/index.js into an ES module, because its calls of `require` would remain. The entries share shared.mjs, so that a bundle
// has one copy of each class. Node.js itself never loads these files, so that `import` and `require` also share one copy. Beside
// them is the code of the reference backend's worker thread in one file, which loads faster and can be copied beside a bundle.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { checkout, remove, rename, shortenedForBundlers, stamp } from './common.mjs';

const output = join(checkout, 'dist', 'module');
const inputs = ['lib', 'scripts/shared', 'tsconfig.base.json', 'node_modules/rolldown/package.json'];

/** Writes the files if the library has changed. */
export async function bundleModule() {
  const built = stamp(
    'module',
    inputs.map((name) => join(checkout, name)),
  );
  if (built.fresh && existsSync(output)) return;
  const bundle = await rolldown({
    input: {
      index: join(checkout, 'lib', 'index.ts'),
      array: join(checkout, 'lib', 'array', 'index.ts'),
      files: join(checkout, 'lib', 'files', 'index.ts'),
      gradients: join(checkout, 'lib', 'gradients', 'index.ts'),
      nn: join(checkout, 'lib', 'nn', 'index.ts'),
      onnx: join(checkout, 'lib', 'onnx', 'index.ts'),
      onnxruntime: join(checkout, 'lib', 'onnxruntime', 'index.ts'),
      operators: join(checkout, 'lib', 'functions', 'index.ts'),
      webnn: join(checkout, 'lib', 'webnn', 'index.ts'),
    },
    platform: 'node',
    external: 'onnxruntime-common',
    plugins: [{ name: 'variants', resolveId: locateVariant }],
    logLevel: 'warn',
  });
  const fresh = `${output}.${process.pid}`;
  const chunks = { codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] }, chunkFileNames: '[name].mjs' };
  await bundle.write({
    dir: fresh,
    entryFileNames: '[name].mjs',
    ...chunks,
    format: 'es',
    comments: false,
    minify: shortenedForBundlers,
  });
  await bundle.close();
  await bundleWorker(fresh);
  remove(output);
  await rename(fresh, output);
  built.done();
}

async function bundleWorker(/** @type {string} */ folder) {
  const bundle = await rolldown({
    input: join(checkout, 'lib', 'backends', 'reference', 'worker', 'entry.ts'),
    platform: 'node',
  });
  const file = join(folder, 'node-directml-worker.cjs');
  await bundle.write({ file, format: 'cjs', comments: false, minify: shortenedForBundlers });
  await bundle.close();
}

/** Resolves the files of which a bundle needs another variant: the .mts file beside them. */
export function locateVariant(/** @type {string} */ source, /** @type {string | undefined} */ from) {
  if (from === undefined || !/\/current-file\.js$/.test(source)) return null;
  return join(dirname(from), source.replace(/js$/, 'mts'));
}
