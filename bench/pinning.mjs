// @ts-check
// Pins processes to one core, in the sandbox. There the GPU is software: its threads wake each other for every dispatch, which
// across cores takes up to five times as long as on one, and the scheduler's mood decides on how many they run.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Does the work while this thread, and each process that it starts, has one core only. Wine hands the cores on to Windows'
 * processes, so both sides have the same one. Wine's server may have been started before, so it is pinned too: a program waits
 * for its answer whenever it signals a thread, and on another core that thread then runs first. `taskset` comes with util-linux,
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

/** The ids of the processes. */
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
