// @ts-check
// Pins processes to one core in the sandbox, whose GPU is software. Its threads wake each other for every dispatch, which takes
// up to five times as long across cores as on one core. Without pinning, the scheduler decides how many cores they use.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Does the work while this thread, and each process that it starts, is pinned to one core. Windows processes inherit that from
 * Wine, so both sides have the same core. Wine's server may already be running, so it is pinned separately: a program waits for
 * its answer whenever it signals a thread, and on another core that thread would run first. `taskset` comes with util-linux,
 * which the sandbox needs anyway.
 * @template Result
 */
export async function onOneCore(/** @type {() => Promise<Result>} */ work) {
  const cores = taskset(`${process.pid}`).trim().split(' ').at(-1) ?? '';
  const last = cores.split(/[,-]/).at(-1) ?? '';
  pinAll(last);
  try {
    return await work();
  } finally {
    pinAll(cores);
  }
}

function pinAll(/** @type {string} */ cores) {
  taskset(cores, `${process.pid}`);
  for (const server of wineServers()) {
    try {
      taskset(cores, server);
    } catch {
      // It has ended meanwhile, or it belongs to another user.
    }
  }
}

/** Returns the process ids of Wine's servers. */
function wineServers() {
  return readdirSync('/proc').filter((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/comm`, 'utf8').startsWith('wineserver');
    } catch {
      return false;
    }
  });
}

function taskset(/** @type {string[]} */ ...args) {
  return execFileSync('taskset', ['--cpu-list', '--pid', ...args], { encoding: 'utf8' });
}
