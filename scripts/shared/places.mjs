// @ts-check
// Where things are in a checkout, and small helpers that the scripts share.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const checkout = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** The package that DirectML.dll comes from, and where it keeps it. */
export const directmlSource = {
  package: 'onnxruntime-node',
  dll: (/** @type {string} */ arch) =>
    join(checkout, 'node_modules', 'onnxruntime-node', 'bin', 'napi-v6', 'win32', arch, 'DirectML.dll'),
};

/**
 * The build folder of an architecture. On Linux and Windows alike, since the binaries are the same in kind.
 * @param {string} arch
 */
export function nativeBuildFolder(arch) {
  return join(checkout, 'build', `win32-${arch}`);
}

/**
 * Runs a program to its end with our own output.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, shell?: boolean, quiet?: boolean }} [options]
 * @returns {Promise<number>} its exit code
 */
export function run(command, args, options = {}) {
  const { quiet, ...rest } = options;
  const out = quiet ? 'ignore' : 'inherit';
  const child = spawn(command, args, { cwd: checkout, stdio: ['ignore', out, 'inherit'], ...rest });
  return new Promise((done, reject) => {
    child.on('error', (error) => reject(new Error(`cannot run ${command}: ${error.message}`)));
    child.on('close', (code) => done(code ?? 1));
  });
}

/** Runs a JavaScript file with this Node.js. */
export function runNode(/** @type {string} */ script, /** @type {string[]} */ ...args) {
  return run(process.execPath, [script, ...args]);
}

/** Throws, with what was being done, unless the exit code is 0. */
export async function must(/** @type {string} */ what, /** @type {Promise<number>} */ work) {
  const code = await work;
  if (code !== 0) throw new Error(`${what} failed (exit code ${code})`);
}

/**
 * Says whether files changed since the last call of the returned `done`, by path, size and time, which costs
 * milliseconds where the compilers' own checks cost seconds.
 * @param {string} name
 * @param {readonly string[]} inputs files and folders, absolute
 */
export function stamp(name, inputs) {
  const file = join(checkout, 'build', 'stamps', name);
  const hash = createHash('sha256');
  /** @param {string} path */
  const add = (path) => {
    if (!existsSync(path)) return void hash.update(`${path} absent\n`);
    const stat = statSync(path);
    if (stat.isDirectory()) for (const entry of readdirSync(path).sort()) add(join(path, entry));
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

/** Prints an error without its stack, which would only show our own scripts, and ends with exit code 1. */
export async function main(/** @type {() => Promise<number | void>} */ work) {
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
