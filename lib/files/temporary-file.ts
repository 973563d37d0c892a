/**
 * The file under another name that a save writes before it replaces the file of that name. If its process ends first, the file
 * goes with it; if the process is killed, the next save of the same file removes it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync, rmSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** The end of the names: the machine, the process, and random digits. */
const ending = /^([\da-f]{8})-([1-9]\d{0,9})-[\da-f]{8}\.tmp$/;
/** No save leaves its file alone for so long, whatever the machine; in milliseconds. */
const longestPause = 24 * 60 * 60 * 1000;
/** How far the clocks of this machine and of a file system may be apart, in milliseconds. */
const clockDifference = 60 * 1000;

/** The absolute paths of the files that this thread writes. */
const written = new Set<string>();

/** A path beside the file for its new contents. Until it is given to {@link release}, the end of the process removes the file. */
export function reserve(target: string): string {
  const random = randomBytes(4).toString('hex');
  const path = join(dirname(target), `${basename(target)}.${machineId()}-${process.pid}-${random}.tmp`);
  if (written.size === 0) process.on('exit', removeAll);
  written.add(path);
  return path;
}

export function release(path: string): void {
  written.delete(path);
  if (written.size === 0) process.off('exit', removeAll);
}

/** Removes what saves of the file left whose process is gone. */
export async function removeLeft(target: string): Promise<void> {
  const folder = dirname(target);
  const beginning = `${basename(target)}.`;
  // A folder may be one that can be written but not listed.
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const [, machine, pid] = name.startsWith(beginning) ? (ending.exec(name.slice(beginning.length)) ?? []) : [];
    if (machine === undefined) continue;
    const path = join(folder, name);
    if (await isLeft(path, machine, Number(pid))) await rm(path, { force: true }).catch(() => undefined);
  }
}

async function isLeft(path: string, machine: string, pid: number): Promise<boolean> {
  if (written.has(path)) return false;
  const stats = await lstat(path).catch(() => null);
  if (stats === null) return false;
  const now = Date.now();
  if (now - stats.mtimeMs > longestPause) return true;
  if (machine !== machineId()) return false;
  if (pid !== process.pid) return !isRunning(pid);
  // Another thread may write it, or a process wrote it that had the same number, as in a container that is started again.
  return stats.mtimeMs < now - process.uptime() * 1000 - clockDifference;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

let known: string | null = null;

/** Where processes have the numbers that this one sees. Folders may be shared with other machines and containers. */
function machineId(): string {
  if (known !== null) return known;
  let numbers = '';
  try {
    numbers = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Only Linux has it.
  }
  known = createHash('sha256').update(`${process.platform} ${hostname()} ${numbers}`).digest('hex').slice(0, 8);
  return known;
}

function removeAll(): void {
  for (const path of written) {
    try {
      rmSync(path, { force: true });
    } catch {
      // The next save of the file removes it.
    }
  }
}
