// @ts-check
// Bundles the programs of the test tools into build/tools. Their shared code is in few files, because a program with many files
// starts slowly. The library and other packages stay outside.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { checkout, remove, rename } from './common.mjs';

const checks = join(checkout, 'checks');
const output = join(checkout, 'build', 'tools');
/** The programs of `npm run`, those that they start, and the networks that the benchmark measures. */
const isProgram = /^tools\/|\b(?<!as-)(child|worker)\.ts$|^networks\/models\/index\.ts$/;

/** Writes the files. */
export async function bundleTools() {
  const paths = readdirSync(checks, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
  const programs = paths.filter((path) => isProgram.test(path));
  const bundle = await rolldown({
    input: Object.fromEntries(programs.map((path) => [path.replace(/^tools\/|\.ts$/g, ''), join(checks, path)])),
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
