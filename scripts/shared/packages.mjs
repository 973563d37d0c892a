// @ts-check
// Some folders have their own package.json, whose packages are installed by the commands that need them: native/ for building the
// addon, docs/ for the site, and test/external/ for the other programs that `npm run test:all` runs.
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout, must, npmCommand, run } from './common.mjs';

export const ownPackages = /** @type {const} */ (['native', 'docs', 'test/external']);
/** @typedef {typeof ownPackages[number] | 'test/runtimes'} OwnPackages Bun and Deno only `npm run pack:check` installs */

/** A copy of the lock file by which npm installed the folder. */
const copyOfLock = join('node_modules', '.installed-lock.json');
/** No package may run code or download files at install time, as onnxruntime-node would. */
const options = ['--ignore-scripts', '--no-audit', '--no-fund'];

/** True if the packages of a folder are installed as its lock file says. */
export function isInstalled(/** @type {OwnPackages} */ folder) {
  const installed = join(checkout, folder, copyOfLock);
  return (
    existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(join(checkout, folder, 'package-lock.json'), 'utf8')
  );
}

/** Installs the packages of a folder, unless they are already installed. */
export async function ensurePackages(/** @type {OwnPackages} */ folder) {
  if (isInstalled(folder)) return;
  console.error(`Installs the packages in ${folder}/package.json. This takes seconds, once.`);
  const cwd = join(checkout, folder);
  // Both are for Windows, wherever they are installed.
  const system = folder === 'test/runtimes' ? ['--os=win32', '--cpu=x64'] : [];
  const { command, args, shell } = npmCommand(['ci', ...options, ...system]);
  await must(`npm ci in ${folder}`, run(command, args, { cwd, shell, output: 'stderr' }));
  copyFileSync(join(cwd, 'package-lock.json'), join(cwd, copyOfLock));
}
