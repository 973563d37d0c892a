// @ts-check
// Bundles the programs of the test tools into build/tools. Their shared code is in few files, because a program with many files
// starts slowly. The library and other packages stay outside.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { checkout, remove, rename } from './common.mjs';

const output = join(checkout, 'build', 'tools');
const isProgram = /^(tools\/[^.]*|(.*[/-])?(?<!as-|run-)(cli|child|worker))\.ts$/;

/** Writes the files. */
export async function bundleTools() {
  const programs = ['checks', 'test'].flatMap((root) => {
    const paths = readdirSync(join(checkout, root), { recursive: true, encoding: 'utf8' }).map((name) =>
      name.replaceAll('\\', '/'),
    );
    return paths
      .filter((name) => isProgram.test(name))
      .map((name) => [name.replace(/^tools\/|\.ts$/g, ''), join(checkout, root, name)]);
  });
  const bundle = await rolldown({
    input: Object.fromEntries(programs),
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
