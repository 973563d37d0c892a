// @ts-check
// What only some commands need is in packages of its own, which these commands install when they run: native/ has what building the
// addon needs, docs/ what the site needs, and test/external/ the other programs that `npm run test:all` asks.
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout, must, npmCommand, run } from './common.mjs';

export const ownPackages = /** @type {const} */ (['native', 'docs', 'test/external']);
/** @typedef {typeof ownPackages[number]} OwnPackages */

/** A copy of the lock file, in the folder that npm made by it. */
const copyOfLock = join('node_modules', '.installed-lock.json');
/** No package may run code or download at install time, as onnxruntime-node would. */
const options = ['--ignore-scripts', '--no-audit', '--no-fund'];

/** True if the packages of a folder are installed as its lock file says. */
export function isInstalled(/** @type {OwnPackages} */ folder) {
  const installed = join(checkout, folder, copyOfLock);
  return (
    existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(join(checkout, folder, 'package-lock.json'), 'utf8')
  );
}

/** Installs the packages of a folder, unless they are there. */
export async function ensurePackages(/** @type {OwnPackages} */ folder) {
  if (isInstalled(folder)) return;
  console.error(`Installs the packages in ${folder}/package.json. This takes seconds, once.`);
  const cwd = join(checkout, folder);
  const { command, args, shell } = npmCommand(['ci', ...options]);
  await must(`npm ci in ${folder}`, run(command, args, { cwd, shell, output: 'stderr' }));
  copyFileSync(join(cwd, 'package-lock.json'), join(cwd, copyOfLock));
}
