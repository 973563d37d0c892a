// @ts-check
// `npm run check:msvc` checks all native code on Linux as MSVC would, for x64 and arm64: clang in its MSVC mode compiles it
// with the options of native/CMakeLists.txt and warnings as errors. Microsoft's headers are not on Linux, so mingw-w64's take
// their place. So this finds mistakes in code that only MSVC compiles, but not every error that Microsoft's headers would show.
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { currentRoot } from '../sandbox/system.mjs';
import { ensureSandbox, installInRoot, runInRoot } from '../sandbox/run.mjs';
import { generateForBuild } from './generate/for-build.mjs';
import { checkout, cppFiles, main } from './shared/common.mjs';

const targets = ['x86_64-pc-windows-msvc', 'aarch64-pc-windows-msvc'];
/** Not checked: it defines a hook that MSVC's header declares as const, but mingw-w64's header does not. */
const exceptMsvcHeader = join('native', 'addon', 'win_delay_load_hook.cpp');

/** Options with which the headers of mingw-w64 and its GCC work in this mode. They expect GCC, and its macro __declspec. */
const forForeignHeaders = [
  '/clang:-fgnuc-version=14.2.0',
  '-D__MINGW32__',
  '-D__MINGW64__',
  '-D__STRICT_ANSI__',
  '-D__declspec=__declspec',
  `/FI${join(checkout, 'native/platform/missing_sal.h')}`,
];

const definitions = [
  ...['WIN32_LEAN_AND_MEAN', 'NOMINMAX', 'UNICODE', '_UNICODE', 'NAPI_VERSION=8', 'NODE_ADDON_API_CPP_EXCEPTIONS_ALL'],
  ...['NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS', 'NODE_GYP_MODULE_NAME=node_directml', 'BUILDING_NODE_EXTENSION'],
].map((definition) => `-D${definition}`);

await main(async () => {
  const began = Date.now();
  generateForBuild();
  await ensureSandbox();
  const root = currentRoot() ?? '/';
  await installInRoot('usr/bin/clang', ['clang']);
  const sources = ['native', 'test/native', 'bench/native'].flatMap(cppFiles).filter((name) => name.endsWith('.cpp'));
  const files = sources.filter((file) => file !== exceptMsvcHeader);
  const options = [...optionsForMsvc(), ...forForeignHeaders, ...definitions, ...includes(root)];
  const checks = targets.flatMap((target) => files.map((file) => ['--driver-mode=cl', `--target=${target}`, ...options, file]));
  let failed = 0;
  const work = async () => {
    for (let args = checks.pop(); args !== undefined; args = checks.pop()) {
      if ((await runInRoot('/usr/bin/clang', args, { cwd: checkout })) !== 0) failed++;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  if (failed > 0) throw new Error(`${failed} of ${targets.length * files.length} checks failed`);
  console.log(`${files.length} files, for x64 and arm64: nothing found (${((Date.now() - began) / 1000).toFixed(0)} s)`);
});

/** Returns the options that the build passes to MSVC. */
function optionsForMsvc() {
  const text = readFileSync(join(checkout, 'native/CMakeLists.txt'), 'utf8');
  const options = /target_compile_options\(native_common INTERFACE (\/W4[^)]*)\)/.exec(text)?.[1]?.split(/\s+/);
  if (options === undefined) throw new Error('native/CMakeLists.txt has no options for MSVC where they are looked for');
  // clang has no /external:W0; /imsvc turns off the warnings in headers of other projects instead.
  return ['/Zs', '/std:c++17', ...options.filter((option) => option !== '/external:W0')];
}

function includes(/** @type {string} */ root) {
  const standard = newestIn(root, '/usr/lib/gcc/x86_64-w64-mingw32', '-posix');
  const others = [
    `${standard}/include/c++`,
    `${standard}/include/c++/x86_64-w64-mingw32`,
    // The build's copy of the DirectX headers. The rest of /usr/include is for Linux.
    join(checkout, 'build/win32-x64/native/directx-headers'),
    join(checkout, 'build/win32-x64/native/directx-headers/directx'),
    join(checkout, 'node_modules/node-addon-api'),
    join(checkout, 'node_modules/node-api-headers/include'),
    '/usr/share/mingw-w64/include',
  ];
  return ['/X', '-Inative', '-I./include', '-Ibench/native', ...others.flatMap((folder) => ['/imsvc', folder])];
}

function newestIn(/** @type {string} */ root, /** @type {string} */ folder, /** @type {string} */ suffix) {
  const name = readdirSync(join(root, folder)).find((name) => name.endsWith(suffix));
  if (name === undefined) throw new Error(`${folder} has no *${suffix}`);
  return join(folder, name);
}
