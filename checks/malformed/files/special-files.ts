/** Paths of what is no regular file: pipes, sockets, devices and folders. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

const isWindows = process.platform === 'win32';
/** A device without an end, and one without a beginning. */
const devices = isWindows ? ['\\\\.\\NUL'] : ['/dev/zero', '/dev/null'];

interface SpecialFile {
  /** As errors call it. */
  readonly kind: 'a pipe' | 'a socket' | 'a device' | 'a folder';
  readonly path: string;
}

/**
 * Special files in the folder, with names that end with `ending`. Windows has pipes and devices elsewhere, so it has a device and a
 * folder.
 */
export async function makeSpecialFiles(folder: string, ending: string): Promise<readonly SpecialFile[]> {
  const at = (name: string) => join(folder, `${name}${ending}`);
  mkdirSync(at('folder'));
  const everywhere = { kind: 'a folder', path: at('folder') } as const;
  const linked = devices.map((path, i): SpecialFile => ({
    kind: 'a device',
    path: isWindows ? path : linkTo(path, at(`device${i}`)),
  }));
  if (isWindows) return [everywhere, ...linked];
  await makeSocket(at('socket'));
  return [
    everywhere,
    ...linked,
    { kind: 'a pipe', path: makePipe(at('pipe')) },
    { kind: 'a pipe', path: linkTo(at('pipe'), at('link')) },
    { kind: 'a socket', path: at('socket') },
  ];
}

/** A named pipe that nobody writes to. */
export function makePipe(path: string): string {
  execFileSync('mkfifo', [path]);
  return path;
}

export function linkTo(target: string, path: string): string {
  symlinkSync(target, path);
  return path;
}

/** Whether links can be made here. Windows needs a privilege for that, and the sandbox has none. */
export function canLink(folder: string): boolean {
  const path = join(folder, 'trial');
  try {
    symlinkSync(folder, path);
    rmSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Closing the server would remove the socket, so it stays open, but does not keep the process. */
async function makeSocket(path: string): Promise<void> {
  const server = createServer();
  await promisify((done: () => void) => server.listen(path, done))();
  server.unref();
}
