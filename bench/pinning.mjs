// @ts-check
// Pins processes to one core, in the sandbox. There the GPU is software: its threads wake each other for every dispatch, which
// across cores takes up to five times as long as on one, and the scheduler's mood decides on how many they run.
import { execFileSync } from 'node:child_process';

/**
 * Does the work while this thread, and each process that it starts, has one core only. Wine hands the cores on to Windows'
 * processes, so both sides have the same one. `taskset` comes with util-linux, which the sandbox needs anyway.
 * @template Result
 */
export async function onOneCore(/** @type {() => Promise<Result>} */ work) {
  const cores = taskset(`${process.pid}`).trim().split(' ').at(-1) ?? '';
  const last = cores.split(/[,-]/).at(-1) ?? '';
  taskset(last, `${process.pid}`);
  try {
    return await work();
  } finally {
    taskset(cores, `${process.pid}`);
  }
}

function taskset(/** @type {string[]} */ ...args) {
  return execFileSync('taskset', ['--cpu-list', '--pid', ...args], { encoding: 'utf8' });
}
