// @ts-check
// Builds the native addon: with MSVC through cmake-js on Windows, with mingw-w64 in the sandbox's root on Linux.
import { copyFileSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { generateForBuild } from '../generate/for-build.mjs';
import { checkout, directmlSource, must, nativeBuildFolder, nativePackages, ownArch, remove, run } from './common.mjs';
import { ensurePackages } from './packages.mjs';

/** The addon's file name in a build folder. */
export const addonName = 'node_directml.node';

/** True if this machine can build the addon. */
export function canBuildNative() {
  return process.platform === 'win32' || (process.platform === 'linux' && process.arch === 'x64');
}

/**
 * Builds the addon for Windows and puts DirectML.dll beside it.
 * @param {{ arch?: string, targets?: readonly string[], output?: 'stdout' | 'stderr' }} [options]
 *   `targets` are the CMake targets to build; by default only the addon. `output` is where the tools print to
 * @returns {Promise<string>} the addon's path
 */
export async function buildNative({ arch = ownArch, targets = ['node_directml'], output = 'stdout' } = {}) {
  if (!canBuildNative()) {
    throw new Error(`The addon is for Windows; it can be built on Windows and on Linux x64, not on ${process.platform}.`);
  }
  const folder = nativeBuildFolder(arch);
  mkdirSync(folder, { recursive: true });
  generateForBuild();
  await ensurePackages('native');
  if (process.platform === 'win32') await buildWithMsvc(arch, folder, targets, output);
  else await buildWithMingw(arch, folder, targets, output);

  const addon = join(folder, addonName);
  // Visual Studio puts its outputs into a folder per configuration.
  const inConfiguration = join(folder, 'Release', addonName);
  if (existsSync(inConfiguration)) copyIfNewer(inConfiguration, addon);
  if (!existsSync(addon)) throw new Error(`CMake succeeded and yet there is no ${addon}`);
  copyIfNewer(directmlDll(arch), join(folder, 'DirectML.dll'));
  return addon;
}

/** Returns the path of the DirectML.dll that the package contains. */
export function directmlDll(/** @type {string} */ arch) {
  const path = directmlSource.dll(arch);
  if (!existsSync(path)) {
    throw new Error(`DirectML.dll is not in ${path}. It comes with ${directmlSource.package}: run npm ci in native/.`);
  }
  return path;
}

/** @param {string} arch @param {string} folder @param {readonly string[]} targets @param {'stdout' | 'stderr'} output */
async function buildWithMsvc(arch, folder, targets, output) {
  const cmakeJs = join(nativePackages, 'cmake-js', 'bin', 'cmake-js');
  for (const target of targets) {
    // Keeps an option and its value on one line.
    // prettier-ignore
    await must('building the addon', run(process.execPath, [
      cmakeJs, 'build', '--arch', arch, '--out', folder, '--config', 'Release', '--target', target,
      ...(process.env['CI'] ? [] : ['--log-level', 'warn']), '--CDNODE_DIRECTML_TEST_EQUIPMENT=ON',
    ], { output }));
  }
}

/** @param {string} arch @param {string} folder @param {readonly string[]} targets @param {'stdout' | 'stderr'} output */
async function buildWithMingw(arch, folder, targets, output) {
  if (arch !== 'x64') throw new Error(`mingw-w64 builds the addon for x64 only, not for ${arch}; use Windows.`);
  const { runInRoot } = await import('../../sandbox/run.mjs');
  // Once configured, CMake reconfigures automatically when one of its files changes.
  if (!existsSync(join(folder, 'build.ninja'))) {
    remove(join(folder, 'CMakeCache.txt'));
    // prettier-ignore
    await must('configuring the addon', runInRoot('cmake', [
      '-S', checkout, '-B', folder, '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Release',
      `-DCMAKE_TOOLCHAIN_FILE=${join(checkout, 'cmake', 'mingw-w64.cmake')}`, '-DNODE_DIRECTML_TEST_EQUIPMENT=ON',
    ], { cwd: checkout, output }));
  }
  await must('building the addon', runInRoot('cmake', ['--build', folder, '--target', ...targets], { cwd: checkout, output }));
}

function copyIfNewer(/** @type {string} */ from, /** @type {string} */ to) {
  const source = statSync(from);
  if (existsSync(to) && statSync(to).size === source.size && statSync(to).mtimeMs >= source.mtimeMs) return;
  copyFileSync(from, to);
}
