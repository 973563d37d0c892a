// Bundles the generated cases of checks/conformance and checks/operators into one file of dist/: `npx node-directml conformance`.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { checkout, rename, shortened, stamp } from './common.mjs';

const output = join(checkout, 'dist', 'cli', 'conformance', 'cases.js');
const inputs = ['checks', 'lib/cli/conformance', 'node_modules/rolldown/package.json', 'node_modules/pure-rand/package.json'];

/** Writes the file if a case or the library has changed. */
export async function bundleCases() {
  const built = stamp(
    'cases',
    inputs.map((name) => join(checkout, name)),
  );
  if (built.fresh && existsSync(output)) return;
  const bundle = await rolldown({
    input: join(checkout, 'checks', 'conformance', 'suite.ts'),
    platform: 'node',
    plugins: [{ name: 'this package', resolveId: locate }],
    logLevel: 'warn',
  });
  const license = readFileSync(join(checkout, 'node_modules', 'pure-rand', 'LICENSE'), 'utf8');
  const fresh = `${output}.${process.pid}`;
  mkdirSync(dirname(output), { recursive: true });
  const banner = `/*\nContains pure-rand:\n\n${license.trim()}\n*/`;
  await bundle.write({ file: fresh, format: 'cjs', codeSplitting: false, comments: false, minify: shortened, banner });
  await bundle.close();
  await rename(fresh, output);
  built.done();
}

/** Leaves the library outside the bundle, which must share the classes of the modules in dist/. */
function locate(/** @type {string} */ source) {
  if (source === 'node-directml') return { id: '../../index.js', external: /** @type {const} */ (true) };
  if (source.startsWith('#lib/')) return { id: source.replace('#lib/', '../../'), external: /** @type {const} */ (true) };
  // The bundle does not need onnxruntime, which only confirms exceptions in the Windows sandbox.
  if (source === './onnxruntime/run.js') return join(checkout, 'checks', 'conformance', 'onnxruntime', 'none.ts');
  return null;
}
