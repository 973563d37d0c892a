// @ts-check
// Builds the package: `npm run build` builds everything, `npm run build -- --lib` only the TypeScript part, `--native` only
// the addon. `--clean` first deletes all build outputs. Parts that are up to date are not built again.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { generateForBuild } from './generate/for-build.mjs';
import { bundleCases } from './shared/bundle-cases.mjs';
import { bundleModule } from './shared/bundle-module.mjs';
import { bundleForNode } from './shared/bundle-node.mjs';
import { bundlePages } from './shared/bundle-pages.mjs';
import { bundleTools } from './shared/bundle-tools.mjs';
import { buildNative, canBuildNative } from './shared/native.mjs';
import { showing } from './shared/progress.mjs';
import { checkout, main, must, remove, rename, runNode, stamp } from './shared/common.mjs';

/** TypeScript 7, the fast one. ESLint and typedoc still need the programming interface of 5.9, the package `typescript`. */
const tsc = join(checkout, 'node_modules', 'typescript-7', 'bin', 'tsc');

/**
 * Compiles lib/ to dist/, and adds the files for bundlers, the conformance cases and the pages of the operators. First generates
 * the ignored files.
 */
export async function buildLib() {
  generateForBuild();
  await compileLib();
  await bundleModule();
  await bundleCases();
  bundlePages();
}

async function compileLib() {
  const packages = ['typescript-7', 'rolldown'].map((name) => `node_modules/${name}/package.json`);
  const inputs = ['lib', 'tsconfig.json', 'tsconfig.base.json', 'scripts/shared/bundle-node.mjs', ...packages];
  const built = stamp(
    'lib',
    inputs.map((name) => join(checkout, name)),
  );
  const whole = ['index.js', 'index.d.ts', 'index.mjs', 'index.d.mts'].every((f) => existsSync(join(checkout, 'dist', f)));
  if (built.fresh && whole) return;
  // Compiles to a new folder, which replaces dist when it is complete, because programs may be running from dist. It also
  // leaves no files of deleted sources.
  const fresh = join(checkout, `dist.new.${process.pid}`);
  try {
    await must(
      'compiling lib/',
      showing('compiling lib/', () => compileTo(fresh)),
    );
    remove(join(checkout, 'dist'));
    await rename(fresh, join(checkout, 'dist'));
  } finally {
    remove(fresh);
  }
  built.done();
}

/** Checks the types and writes the declarations, then the JavaScript. */
async function compileTo(/** @type {string} */ folder) {
  const code = await runNode(tsc, '-p', join(checkout, 'tsconfig.json'), '--outDir', folder, '--emitDeclarationOnly');
  if (code === 0) await bundleForNode(folder);
  return code;
}

/** Bundles the test tools, such as conformance and parity, into build/tools. `checkTypes` checks their types. */
export async function buildTools() {
  const built = stamp(
    'tools',
    ['checks', 'scripts/shared/bundle-tools.mjs'].map((name) => join(checkout, name)),
  );
  if (built.fresh && existsSync(join(checkout, 'build', 'tools'))) return;
  await bundleTools();
  built.done();
}

/** Checks the types of a folder of tests without compiling them. For test/external, its packages must be installed. */
export async function checkTypes(/** @type {'test' | 'test/external'} */ folder) {
  const built = stamp(
    folder.replace('/', '-'),
    ['checks', 'test', 'dist', 'tsconfig.base.json'].map((input) => join(checkout, input)),
  );
  if (built.fresh) return;
  const title = `type-checking ${folder}/`;
  await must(
    title,
    showing(title, () => runNode(tsc, '-p', join(checkout, folder))),
  );
  built.done();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const options = new Set(process.argv.slice(2));
  await main(async () => {
    const all = !options.has('--lib') && !options.has('--native');
    if (options.has('--clean')) {
      for (const name of ['dist', 'build']) remove(join(checkout, name));
    }
    const began = Date.now();
    if (all || options.has('--lib')) await buildLib();
    if (all) await buildTools();
    if (options.has('--native') || (all && canBuildNative())) {
      console.log(`addon: ${await buildNative()}`);
    } else if (all) {
      console.log(`The addon is not built on ${process.platform}: only the reference backend works here.`);
    }
    console.log(`built in ${((Date.now() - began) / 1000).toFixed(1)} s`);
  });
}
