// @ts-check
// Makes prebuilds/win32-<arch>/ for the npm package: `npm run build:prebuilds [-- --arch arm64]`. prebuildify runs the CMake build
// through a shim. DirectML.dll is put beside the addon, with a notice of its origin and terms.
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { directmlDll } from './shared/native.mjs';
import { fileVersion, sha256 } from './shared/sbom.mjs';
import { checkout, directmlSource, main, must, nativePackages, ownArch, remove, run } from './shared/common.mjs';
import { ensurePackages } from './shared/packages.mjs';

/** @returns {Promise<string>} the folder that was made */
export async function prebuild(arch = ownArch) {
  const folder = join(checkout, 'prebuilds', `win32-${arch}`);
  remove(folder);
  await ensurePackages('native');
  const shim = join(checkout, 'scripts', 'shared', `node-gyp-shim.${process.platform === 'win32' ? 'cmd' : 'mjs'}`);
  await must(
    'prebuildify',
    run(process.execPath, [
      join(nativePackages, 'prebuildify', 'bin.js'),
      '--napi',
      '--platform',
      'win32',
      '--arch',
      arch,
      '--node-gyp',
      process.platform === 'win32' ? `"${shim}"` : shim,
    ]),
  );
  // The shim has put the addon there, where prebuildify expects it.
  remove(join(checkout, 'build', 'Release'));
  if (!existsSync(join(folder, 'node-directml.node'))) throw new Error(`prebuildify left no addon in ${folder}`);

  const dll = directmlDll(arch);
  copyFileSync(dll, join(folder, 'DirectML.dll'));
  writeFileSync(join(folder, 'DirectML-NOTICE.txt'), notice(dll, arch));
  return folder;
}

function notice(/** @type {string} */ dll, /** @type {string} */ arch) {
  const bytes = readFileSync(dll);
  /** @type {{ version: string }} */
  const source = JSON.parse(readFileSync(join(nativePackages, directmlSource.package, 'package.json'), 'utf8'));
  return readFileSync(join(checkout, 'scripts', 'shared', 'directml-notice.txt'), 'utf8')
    .replaceAll('{version}', fileVersion(bytes))
    .replaceAll('{release}', fileVersion(bytes).split('.').slice(0, 3).join('.'))
    .replaceAll('{arch}', arch)
    .replaceAll('{sha256}', sha256(bytes))
    .replaceAll('{package}', `${directmlSource.package} ${source.version}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    const { values } = parseArgs({ options: { arch: { type: 'string' } } });
    const folder = await prebuild(values.arch);
    console.log(`\n${folder}`);
    for (const name of readdirSync(folder)) {
      console.log(`  ${name.padEnd(24)} ${(statSync(join(folder, name)).size / 1e6).toFixed(2)} MB`);
    }
  });
}
