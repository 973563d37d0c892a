/** A child process on Windows' node.exe. It is killed if the file that it writes to stops growing for too long. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface WatchedChild {
  /** The arguments of node.exe, which runs in the root of the checkout. */
  readonly command: readonly string[];
  /** The sandbox's name of the Node.js: `node` or `node22`. On Windows, it is always the one that runs this. */
  readonly node?: string;
  /** The file that the child writes to. */
  readonly written: string;
  /** The file that gets the child's output. */
  readonly log: string;
  /** In milliseconds. */
  readonly maxSilence: number;
  onWritten(): void;
}

export const ROOT = join(__dirname, '..', '..', '..');
const POLL_MS = 500;

/** Runs the child. Returns its exit code, or `hang` if it was killed. */
export async function runWatched(watched: WatchedChild): Promise<number | null | 'hang'> {
  const { command, node = 'node', written, log, maxSilence, onWritten } = watched;
  const sandbox = process.platform === 'win32' ? [] : [join('sandbox', 'run.mjs'), node];
  const output = openSync(log, 'w');
  const child = spawn(process.execPath, [...sandbox, ...command], { cwd: ROOT, stdio: ['ignore', output, output] });
  let hangs = false;
  let size = 0;
  let silentSince = Date.now();
  const watch = setInterval(() => {
    const grown = statSync(written).size;
    if (grown !== size) {
      size = grown;
      silentSince = Date.now();
      onWritten();
    } else if (Date.now() - silentSince > maxSilence) {
      hangs = true;
      child.kill();
    }
  }, POLL_MS);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(hangs ? 'hang' : code));
    });
  } finally {
    clearInterval(watch);
    closeSync(output);
  }
}
