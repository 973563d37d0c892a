// @ts-check
// Puts the library into one ES module, dist/module.mjs, for bundlers: the condition "module" of package.json. They cannot put
// dist/index.js into an ES module, because its calls of `require` would remain. Node.js itself never takes this file, so that
// `import` and `require` share one copy.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { checkout, rename, spaceless, stamp } from './common.mjs';

const output = join(checkout, 'dist', 'module.mjs');
const inputs = ['lib', 'tsconfig.base.json', 'node_modules/rolldown/package.json'];

/** Writes the file if the library has changed. */
export async function bundleModule() {
  const built = stamp(
    'module',
    inputs.map((name) => join(checkout, name)),
  );
  if (built.fresh && existsSync(output)) return;
  const bundle = await rolldown({
    input: join(checkout, 'lib', 'index.ts'),
    platform: 'node',
    plugins: [{ name: 'own file', resolveId: locate }],
    logLevel: 'warn',
  });
  const fresh = `${output}.${process.pid}`;
  await bundle.write({ file: fresh, format: 'es', codeSplitting: false, comments: false, minify: spaceless });
  await bundle.close();
  await rename(fresh, output);
  built.done();
}

function locate(/** @type {string} */ source) {
  return source.endsWith('/own-file.js') ? join(checkout, 'lib', 'own-file.mts') : null;
}
