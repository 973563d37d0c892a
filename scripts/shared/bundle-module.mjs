// @ts-check
// Puts the library into ES modules for bundlers, dist/module: the condition "module" of package.json. They cannot put
// dist/index.js into an ES module, because its calls of `require` would remain. Both entries share shared.mjs, so that a bundle
// has one copy of each class. Node.js itself never takes these files, so that `import` and `require` share one copy too.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { checkout, remove, rename, spaceless, stamp } from './common.mjs';

const output = join(checkout, 'dist', 'module');
const inputs = ['lib', 'tsconfig.base.json', 'node_modules/rolldown/package.json'];

/** Writes the files if the library has changed. */
export async function bundleModule() {
  const built = stamp(
    'module',
    inputs.map((name) => join(checkout, name)),
  );
  if (built.fresh && existsSync(output)) return;
  const bundle = await rolldown({
    input: { index: join(checkout, 'lib', 'index.ts'), webnn: join(checkout, 'lib', 'webnn', 'index.ts') },
    platform: 'node',
    plugins: [{ name: 'own file', resolveId: locate }],
    logLevel: 'warn',
  });
  const fresh = `${output}.${process.pid}`;
  const chunks = { codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] }, chunkFileNames: '[name].mjs' };
  await bundle.write({ dir: fresh, entryFileNames: '[name].mjs', ...chunks, format: 'es', comments: false, minify: spaceless });
  await bundle.close();
  remove(output);
  await rename(fresh, output);
  built.done();
}

function locate(/** @type {string} */ source) {
  return source.endsWith('/own-file.js') ? join(checkout, 'lib', 'own-file.mts') : null;
}
