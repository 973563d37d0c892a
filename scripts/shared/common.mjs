// @ts-check
// Paths in a checkout, and small helpers that the scripts share.
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const checkout = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * The default architecture to build for: on Windows the processor's own; elsewhere x64, because the sandbox runs x64.
 * @type {string}
 */
export const ownArch = process.platform === 'win32' ? process.arch : 'x64';

/** The folder of the packages that building the addon needs. */
export const nativePackages = join(checkout, 'native', 'node_modules');

/** The package that contains DirectML.dll, and the path of the DLL in it. */
export const directmlSource = {
  package: 'onnxruntime-node',
  dll: (/** @type {string} */ arch) => join(nativePackages, 'onnxruntime-node', 'bin', 'napi-v6', 'win32', arch, 'DirectML.dll'),
};

/**
 * The build folder of an architecture. Linux and Windows use the same one, because both build Windows binaries.
 * @param {string} arch
 */
export function nativeBuildFolder(arch) {
  return join(checkout, 'build', `win32-${arch}`);
}

/**
 * Returns the C++ files in a folder of the checkout, without those of packages.
 * @param {string} folder
 */
export function cppFiles(folder) {
  return readdirSync(join(checkout, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(cpp|h)$/.test(name) && !name.startsWith('node_modules'))
    .map((name) => join(folder, name));
}

/** How rolldown makes files of the package smaller: no spaces, and short names, but not for what stack traces name. */
export const shortened = {
  compress: false,
  mangle: { toplevel: true, keepNames: { function: true, class: true } },
  codegen: { removeWhitespace: true },
};

/** The same for files that a bundler reads: it shortens names of functions anyway. */
export const shortenedForBundlers = {
  compress: { keepNames: { function: false, class: true } },
  mangle: { toplevel: true, keepNames: { function: false, class: true } },
  codegen: { removeWhitespace: true },
};

/** The maximum run time of a program in milliseconds. It ends programs that hang, and is long for busy machines. */
export const timeLimit = 3 * 3600_000;

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {boolean} [shell]
 * @property {boolean} [quiet] drops what it prints to stdout
 * @property {'stdout' | 'stderr'} [output] where its stdout goes
 * @property {number} [timeout]
 */

/**
 * Runs a program to its end. Its output goes to this process's output.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<number>} its exit code
 */
export function run(command, args, options = {}) {
  const { quiet, output = 'stdout', timeout = timeLimit, ...rest } = options;
  const out = quiet ? 'ignore' : output === 'stderr' ? 2 : 'inherit';
  const child = spawn(command, args, { cwd: checkout, stdio: ['ignore', out, 'inherit'], ...rest });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, timeout);
  /** @type {Promise<number>} */
  const ended = new Promise((done, reject) => {
    child.on('error', (error) => reject(new Error(`cannot run ${command}: ${error.message}`)));
    child.on('close', (code) => {
      if (isLate) reject(new Error(`${command} ${args.join(' ')} was ended: it took longer than ${timeout / 1000} s`));
      else done(code ?? 1);
    });
  });
  return ended.finally(() => clearTimeout(timer));
}

/**
 * Runs a program to its end and returns its output instead of showing it. Never rejects.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeout?: number }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function capture(command, args, options = {}) {
  return new Promise((done) => {
    const all = { cwd: checkout, timeout: timeLimit, maxBuffer: 1 << 26, ...options };
    execFile(command, args, all, (error, stdout, stderr) => {
      // A program that could not be started or was killed has no exit code.
      if (error === null) done({ code: 0, output: stdout + stderr });
      else if (typeof error.code === 'number') done({ code: error.code, output: stdout + stderr });
      else done({ code: 1, output: `${stdout}${stderr}${error.message}` });
    });
  });
}

/** Deletes a file or folder. It tries several times, because a virus scanner or an editor may hold a file for a moment. */
export function remove(/** @type {string} */ path) {
  rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** Renames a file or folder. It tries several times, like {@link remove}. */
export async function rename(/** @type {string} */ from, /** @type {string} */ to) {
  for (let tries = 1; ; tries++) {
    try {
      return renameSync(from, to);
    } catch (error) {
      const isHeld = error instanceof Error && 'code' in error && ['EPERM', 'EACCES', 'EBUSY'].includes(String(error.code));
      if (!isHeld || tries > 10) throw error;
      await delay(100 * tries);
    }
  }
}

/** Runs a JavaScript file with this Node.js. */
export function runNode(/** @type {string} */ script, /** @type {string[]} */ ...args) {
  return run(process.execPath, [script, ...args]);
}

/** Returns the command line of npm. On Windows npm may be a .cmd file, which needs a shell. */
export function npmCommand(/** @type {string[]} */ args) {
  const cli = process.env['npm_execpath'];
  if (cli && /npm-cli\.c?js$/.test(cli)) return { command: process.execPath, args: [cli, ...args], shell: false };
  return { command: 'npm', args, shell: process.platform === 'win32' };
}

/** Throws if the exit code of `work` is not 0. `what` names the work in the error. */
export async function must(/** @type {string} */ what, /** @type {Promise<number>} */ work) {
  const code = await work;
  if (code !== 0) throw new Error(`${what} failed (exit code ${code})`);
}

/**
 * Tells whether files have changed: `fresh` is true if their paths, sizes and times are as at the last call of `done`. This
 * takes milliseconds, while the compilers' own checks take seconds.
 * @param {string} name
 * @param {readonly string[]} inputs files and folders, absolute
 */
export function stamp(name, inputs) {
  const file = join(checkout, 'build', 'stamps', name);
  const hash = createHash('sha256');
  const entriesOf = (/** @type {string} */ folder) =>
    readdirSync(folder)
      .filter((entry) => entry !== 'node_modules')
      .sort();
  /** @param {string} path */
  const add = (path) => {
    if (!existsSync(path)) return void hash.update(`${path} absent\n`);
    const stat = statSync(path);
    if (stat.isDirectory()) for (const entry of entriesOf(path)) add(join(path, entry));
    else hash.update(`${path} ${stat.size} ${stat.mtimeMs}\n`);
  };
  inputs.forEach(add);
  const key = hash.digest('hex');
  return {
    fresh: existsSync(file) && readFileSync(file, 'utf8') === key,
    done() {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, key);
    },
  };
}

/** Runs the work of a script. If it throws, prints the error without its stack, and sets the exit code 1. */
export async function main(/** @type {() => Promise<number | void>} */ work) {
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
