// @ts-check
// The steps of a set-up. A step runs once per key and is atomic. Only one set-up runs at a time.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { showing } from '../scripts/shared/progress.mjs';
import { paths } from './paths.mjs';

const stampOf = (/** @type {string} */ folder) => `${folder}.stamp`;

/** True if the folder was completed for this key. */
export function isDone(/** @type {string} */ folder, /** @type {string} */ key) {
  const stamp = stampOf(folder);
  return existsSync(folder) && existsSync(stamp) && readFileSync(stamp, 'utf8') === key;
}

/**
 * Makes a folder unless it is complete for this key. It is made under another name and renamed at the end, so that an
 * interrupted set-up never counts as complete.
 * @param {string} title shown while the step runs
 * @param {string} folder
 * @param {string} key
 * @param {(folder: string) => void | Promise<void>} make
 */
export async function step(title, folder, key, make) {
  if (isDone(folder, key)) return;
  if (!process.stderr.isTTY) process.stderr.write(`sandbox: ${title}…\n`);
  const fresh = `${folder}.new`;
  remove(fresh);
  mkdirSync(fresh, { recursive: true });
  try {
    await showing(`sandbox: ${title}`, () => make(fresh));
  } catch (error) {
    throw new Error(`sandbox: ${title} failed.\n${error instanceof Error ? error.message : error}`);
  }
  rmSync(stampOf(folder), { force: true });
  remove(folder);
  renameSync(fresh, folder);
  writeFileSync(stampOf(folder), key);
}

/** Deletes a folder. Throws if something is still mounted in it, because the mounted files would be deleted too. */
function remove(/** @type {string} */ folder) {
  if (!existsSync(folder)) return;
  const mounted = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .filter((point) => point.startsWith(`${folder}/`));
  if (mounted.length > 0) {
    throw new Error(`something is mounted in ${folder}: first umount ${mounted.reverse().join(' ')}`);
  }
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Holds the set-up's lock while the work runs. A lock of a process that no longer exists is removed.
 * @param {() => Promise<void>} work
 */
export async function withSetupLock(work) {
  mkdirSync(dirname(paths.lock), { recursive: true });
  let isAnnounced = false;
  for (;;) {
    try {
      writeFileSync(paths.lock, String(process.pid), { flag: 'wx' });
      break;
    } catch {
      const holder = readHolder();
      if (holder !== undefined && !isRunning(holder)) {
        rmSync(paths.lock, { force: true });
        continue;
      }
      if (!isAnnounced) process.stderr.write(`sandbox: waiting for the set-up of process ${holder ?? '?'}\n`);
      isAnnounced = true;
      await delay(200);
    }
  }
  try {
    await work();
  } finally {
    if (readHolder() === process.pid) unlinkSync(paths.lock);
  }
}

function readHolder() {
  try {
    const holder = Number(readFileSync(paths.lock, 'utf8'));
    return holder > 0 ? holder : undefined;
  } catch {
    return undefined;
  }
}

function isRunning(/** @type {number} */ pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
