// @ts-check
// Bundles the programs of the test tools into build/tools. Their shared code is in few files, because a program with many files
// starts slowly. The library and other packages stay outside.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { checkout, remove, rename } from './common.mjs';

const tests = join(checkout, 'test');
const output = join(checkout, 'build', 'tools');
const tools = [
  'conformance',
  'coverage',
  'fuzz',
  'gradients',
  'graph',
  'onnx',
  'parity',
  'verdicts',
  'webnn/conformance',
  'webnn/wpt',
];
const isProgram = /(^|-)(cli|child|worker)\.ts$/;

/** Writes the files. */
export async function bundleTools() {
  const filesOf = (/** @type {string} */ tool) => readdirSync(join(tests, tool)).filter((name) => isProgram.test(name));
  const programs = tools.flatMap((tool) => filesOf(tool).map((name) => `${tool}/${name}`));
  const bundle = await rolldown({
    input: Object.fromEntries(programs.map((path) => [path.replace(/\.ts$/, ''), join(tests, path)])),
    platform: 'node',
    external: /^[^./]/,
    logLevel: 'warn',
  });
  const fresh = `${output}.${process.pid}`;
  await bundle.write({ dir: fresh, format: 'cjs', minify: false, sourcemap: true });
  await bundle.close();
  remove(output);
  await rename(fresh, output);
}
