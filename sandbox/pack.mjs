// @ts-check
// Packs the sandbox for a Linux machine without a network: `npm run sandbox:pack -- [--output FOLDER] [--part-size MIB]`.
// It watches with strace which files a few programs open, packs these, the package and its test tools, and puts run.sh beside the
// parts of the archive, which unpacks and runs them.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { buildLib, buildTools } from '../scripts/build.mjs';
import { nativeBuildFolder } from '../scripts/shared/common.mjs';
import { addonName, buildNative } from '../scripts/shared/native.mjs';
import { showing } from '../scripts/shared/progress.mjs';
import { logged } from './commands.mjs';
import { cache, checkout, paths, sandboxFolder } from './paths.mjs';
import { ensureSandbox, installInRoot, runInRoot } from './setup.mjs';

/** The programs that are watched. */
const watched = [
  ['bin/node-directml.mjs', 'doctor'],
  ['build/tools/conformance.js', 'elementWiseDifferenceSquare', '--seed', '1', '--cases', '1'],
  ['build/tools/conformance.js', '--graphs', '--seed', '1', '--cases', '1'],
];
/** What is packed whole: from the checkout, from the cache, and from the Linux system. The rest is what these programs open. */
const whole = {
  checkout: [
    '.npmrc',
    'bin',
    'build/tools',
    'cmake',
    'dist',
    'lib/operators',
    'package-lock.json',
    'package.json',
    'sandbox',
    'scripts/shared',
  ],
  cache: ['bridge', 'bridge.stamp', 'node.stamp', 'root.stamp'],
  system: ['/bin', '/lib', '/lib64/ld-linux-x86-64.so.2', '/sbin', '/usr/share/wine/wine.inf'],
};
/** Files of a running system, and of the run that is watched. */
const passing = /^\/(dev|proc|sys|tmp|run)(\/|$)|\.session\/|\/runs\/|mesa_shader_cache|\.tmp$|\.log$/;
/** Wine's programs, whose debug information is two thirds of them. */
const windowsPrograms = "-path '*windows*' -name '*.[desc][lxry][lesv]*'";

/** Packs the sandbox into `output`. */
async function packSandbox(/** @type {string} */ output, /** @type {number} */ partSize) {
  await buildLib();
  await buildTools();
  if (!existsSync(join(nativeBuildFolder('x64'), addonName))) await buildNative({ output: 'stderr' });
  const sandbox = await ensureSandbox();
  if (sandbox.root === '/')
    throw new Error("sandbox:pack packs the sandbox's own Debian root; here the sandbox uses this machine's Wine");
  await installInRoot('usr/bin/strace', ['strace']);
  const stage = join(cache, 'pack');
  rmSync(stage, { recursive: true, force: true });
  const packed = join(stage, 'packed');
  const trace = await showing('sandbox: watching which files are opened', () => watch(sandbox, stage));
  const packer = new Packer(sandbox, join(stage, 'cache/node-directml/sandbox'), packed);
  for (const path of opened(trace)) packer.add(path);
  for (const path of whole.checkout) packer.addWhole(join(checkout, path));
  for (const path of whole.cache) packer.addWhole(join(cache, path));
  for (const path of whole.system) packer.addWhole(path);
  for (const path of ['system.reg', 'user.reg', 'userdef.reg', '.update-timestamp']) packer.add(join(sandbox.prefix, path));
  packer.finish();
  await showing('sandbox: stripping', async () => {
    const strip = `find . ${windowsPrograms} -type f | while read -r file; do
      x86_64-w64-mingw32-strip -S -o "$0" "$file" 2>/dev/null && touch -r "$file" "$0" && cat "$0" >"$file"; done; rm -f "$0"`;
    await runInRoot('sh', ['-c', strip, join(stage, 'stripped')], { cwd: packed, output: 'stderr' });
  });
  mkdirSync(output, { recursive: true });
  for (const name of readdirSync(output).filter((file) => file.startsWith('sandbox.tar.xz.'))) rmSync(join(output, name));
  const compress = `tar --create --directory "$0" . | xz -6 --threads=0 | split --bytes ${partSize}M --numeric-suffixes - "$1"`;
  await showing('sandbox: compressing', () => logged('sh', ['-c', compress, packed, join(output, 'sandbox.tar.xz.')]));
  copyFileSync(join(sandboxFolder, 'packed.sh'), join(output, 'run.sh'));
  rmSync(stage, { recursive: true });
}

/** @typedef {import('./setup.mjs').Sandbox} Sandbox */

/**
 * Runs the programs in a session of their own, on a copy of the Windows drive. Returns the text that strace wrote.
 * @param {Sandbox} sandbox
 * @param {string} stage
 */
async function watch(sandbox, stage) {
  const copy = join(stage, 'cache/node-directml/sandbox');
  mkdirSync(copy, { recursive: true });
  for (const name of readdirSync(cache)) {
    const source = join(cache, name);
    if (name === 'pack' || name.endsWith('.session') || source === paths.runs || source === paths.runtime) continue;
    if (source === sandbox.prefix)
      cpSync(source, join(copy, name), { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    else symlinkSync(source, join(copy, name));
  }
  const inRoot = (/** @type {string} */ path) => join(sandbox.root, path);
  const trace = join(stage, 'trace');
  const strace = ['--library-path', inRoot('usr/lib/x86_64-linux-gnu'), inRoot('usr/bin/strace')];
  const options = ['-f', '-y', '-qq', '--seccomp-bpf', '-z', '-s', '4096', '-e', 'trace=open,openat,execve', '-A', '-o', trace];
  const env = { ...process.env, XDG_CACHE_HOME: join(stage, 'cache'), NODE_DIRECTML_SANDBOX_LINGER: '1' };
  for (const program of watched) {
    const command = [process.execPath, join(sandboxFolder, 'run.mjs'), 'node', ...program];
    await logged(inRoot('lib64/ld-linux-x86-64.so.2'), [...strace, ...options, ...command], { cwd: checkout, env });
  }
  return readFileSync(trace, 'latin1');
}

/** Returns the paths in what strace wrote: those that programs named, and those of the files that were opened. */
function opened(/** @type {string} */ trace) {
  const named = [...trace.matchAll(/(?:open|openat|execve)\([^"]*"(\/[^"]*)"/g)].map((match) => match[1] ?? '');
  const files = [...trace.matchAll(/ = \d+<(\/[^>]*)>$/gm)].map((match) => match[1] ?? '');
  return new Set([...named, ...files]);
}

/** Copies files of the sandbox to the places that they have in the archive. */
class Packer {
  /** @type {Set<string>} */
  #done = new Set();
  /** The copies by their content's hash: the Windows drive repeats Wine's DLLs. */
  #copies = /** @type {Map<string, string>} */ (new Map());
  #root;
  #modules;
  #packed;
  #watchedCache;
  /** Folders, and where they are in the archive. The first that matches counts. */
  #places;

  constructor(/** @type {Sandbox} */ sandbox, /** @type {string} */ watchedCache, /** @type {string} */ packed) {
    const target = join(packed, 'cache/node-directml/sandbox');
    this.#root = sandbox.root;
    this.#modules = join(target, relative(cache, dirname(sandbox.modules)));
    this.#packed = packed;
    this.#watchedCache = watchedCache;
    this.#places = [
      [sandbox.modules, join(packed, 'checkout/node_modules')],
      [watchedCache, target],
      [cache, target],
      [checkout, join(packed, 'checkout')],
    ];
  }

  /**
   * Adds a file and the links on the way to it.
   * @param {string} path
   * @returns {void}
   */
  add(path) {
    const inside = path.startsWith(`${this.#root}/`) ? path.slice(this.#root.length) : path;
    if (passing.test(inside)) return;
    const parts = inside.split('/').filter(Boolean);
    let at = '';
    for (const [index, part] of parts.entries()) {
      at = part === '..' ? dirname(at) : join('/', at, part);
      const { source, target } = this.#place(at);
      const stat = lstatSync(source, { throwIfNoEntry: false });
      if (stat === undefined) return;
      if (stat.isSymbolicLink()) {
        const to = readlinkSync(source);
        const isStaged = dirname(source) === this.#watchedCache;
        if (target !== undefined && !isStaged) this.#once(target, () => symlinkSync(to, target));
        return this.add(join(resolve(dirname(at), to), ...parts.slice(index + 1)));
      }
      if (index === parts.length - 1 && stat.isFile() && target !== undefined)
        this.#once(target, () => this.#copy(source, target));
    }
  }

  /** Adds a file or all files of a folder. */
  addWhole(/** @type {string} */ path) {
    const { source } = this.#place(path);
    if (!lstatSync(source).isDirectory()) return this.add(path);
    for (const name of readdirSync(source)) this.addWhole(join(path, name));
  }

  /** Adds what no program opens. */
  finish() {
    const target = join(this.#packed, 'cache/node-directml/sandbox');
    for (const name of ['dev', 'proc', 'sys', 'tmp', 'run', 'var/tmp'])
      mkdirSync(join(target, 'root', name), { recursive: true });
    for (const name of readdirSync(cache).filter((file) => /^prefix-bridge.*\.stamp$/.test(file))) this.add(join(cache, name));
    this.add(join(cache, relative(target, `${this.#modules}.stamp`)));
    mkdirSync(this.#modules, { recursive: true });
    symlinkSync(relative(this.#modules, join(this.#packed, 'checkout/node_modules')), join(this.#modules, 'node_modules'));
    copyFileSync(process.execPath, join(this.#packed, 'node'));
  }

  #once(/** @type {string} */ target, /** @type {() => void} */ make) {
    if (this.#done.has(target)) return;
    this.#done.add(target);
    mkdirSync(dirname(target), { recursive: true });
    make();
  }

  #copy(/** @type {string} */ source, /** @type {string} */ target) {
    const hash = createHash('sha256').update(readFileSync(source)).digest('hex');
    const copy = this.#copies.get(hash);
    if (copy !== undefined) return linkSync(copy, target);
    copyFileSync(source, target);
    const { atime, mtime } = statSync(source);
    utimesSync(target, atime, mtime);
    this.#copies.set(hash, target);
  }

  /** Where a path is here and in the archive. Folders above those that are packed have no place there. */
  #place(/** @type {string} */ path) {
    for (const [folder = '', target = ''] of this.#places) {
      if (path === folder || path.startsWith(`${folder}/`)) return { source: path, target: target + path.slice(folder.length) };
      if (folder.startsWith(`${path}/`)) return { source: path, target: undefined };
    }
    return { source: join(this.#root, path), target: join(this.#packed, 'cache/node-directml/sandbox/root', path) };
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    const { values } = parseArgs({
      options: { output: { type: 'string', default: 'sandbox-packed' }, 'part-size': { type: 'string', default: '59' } },
    });
    const output = resolve(values.output);
    await packSandbox(output, Number(values['part-size']));
    for (const name of readdirSync(output))
      console.log(`${(statSync(join(output, name)).size / 2 ** 20).toFixed(1)} MiB  ${name}`);
    console.log(`The archive is in ${output}. On the other machine, as root: sh run.sh`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
