// @ts-check
// Runs the Linux commands that set up the sandbox.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { paths, sandboxFolder } from './paths.mjs';

/**
 * Runs a command and writes its output to the set-up's log.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<void>} rejects with the end of the log if the command fails
 */
export function logged(command, args, options = {}) {
  const log = openSync(paths.log, 'a');
  /** @type {Promise<void>} */
  const ended = new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', log, log] });
    child.on('error', (error) => reject(new Error(`cannot run ${command}: ${error.message}`)));
    child.on('close', (code, signal) => {
      if (code === 0) return resolve();
      const tail = readFileSync(paths.log, 'utf8').trimEnd().split('\n').slice(-20).join('\n');
      reject(new Error(`${command} ${args.join(' ')}\nended with ${signal ?? code}. The end of ${paths.log}:\n${tail}`));
    });
  });
  return ended.finally(() => closeSync(log));
}

/** Returns the output of a command, or undefined if the command is missing or fails. */
export function outputOf(/** @type {string} */ command, /** @type {string[]} */ ...args) {
  const result = spawnSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return result.status === 0 ? result.stdout.trim() : undefined;
}

/**
 * Returns the command line that runs a command in the sandbox's root, in a mount namespace of its own. With root "/", which
 * is the host, that is the command itself; `cwd` is then ignored.
 */
export function inRoot(
  /** @type {string} */ root,
  /** @type {string} */ cwd,
  /** @type {string} */ command,
  /** @type {readonly string[]} */ args,
) {
  if (root === '/') return { command, args: [...args] };
  return {
    command: 'unshare',
    args: ['--mount', 'sh', join(sandboxFolder, 'enter-root.sh'), root, cwd, command, ...args],
  };
}
