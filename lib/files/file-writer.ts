/** Writes a file under a temporary name, and renames it when it is complete: no program sees half a file. */
import type { Stats } from 'node:fs';
import { access, constants, lstat, open, readlink, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, isAbsolute, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor, type Wait } from '../api/abortable.js';
import type { Tensor } from '../api/memory/tensor.js';
import { partOfBytes } from '../tensors/bytes.js';
import type { Place } from '../values/errors.js';
import { spanInBytes } from '../tensors/tensor-size.js';
import { fromSystem, invalidFile, requireRegular } from './file-reader.js';
import type { Watch } from './options.js';
import { release, removeLeft, reserve } from './temporary-file.js';
import { partSize } from './upload.js';

const writable = 'a file that can be written';
/** Linux follows as many. */
const mostLinks = 40;
/** Between attempts to replace a file, in milliseconds: a second in all. */
const pauses = [10, 20, 40, 80, 160, 320, 370];

/**
 * A file with the bytes `header`, and after it the elements of tensors in memory order, without gaps between tensors. A file that
 * was there passes on its permissions; a link stays, and the file that it leads to is written.
 */
export async function writeFile(
  method: string,
  path: string,
  header: Uint8Array,
  tensors: readonly Tensor[],
  watch: Watch,
): Promise<void> {
  const { wait, progressOf } = watch;
  // A signal that is aborted already leaves the file system alone.
  await waitFor(wait, () => Promise.resolve());
  const onPart = progressOf(tensors.reduce((sum, tensor) => sum + sizeOf(tensor), 0));
  const place = { operator: method, field: path };
  const system = <T>(call: () => Promise<T>) => fromSystem(place, writable, call);
  const { target, replaced } = await targetOf(path, place);
  await removeLeft(target);
  const temporary = reserve(target);
  try {
    // Nobody else may read what replaces a private file.
    const handle = await system(() => open(temporary, 'wx', replaced === null ? 0o666 : 0o600));
    try {
      const write = (part: Uint8Array) => waitFor(wait, () => system(() => handle.writeFile(part)));
      await write(header);
      for await (const part of partsOf(tensors, wait)) {
        await write(part);
        onPart(part.length);
      }
      if (replaced !== null) await system(() => passOn(replaced, handle));
      await waitFor(wait, () => system(() => handle.sync()));
    } finally {
      // Waits for writes that have begun.
      await handle.close();
    }
    await system(() => replace(temporary, target));
  } catch (error) {
    // The error says more than one of removing the file.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    release(temporary);
  }
}

/** Waits for programs that hold the file for a moment, such as another save or a virus scanner: Windows refuses to replace it. */
async function replace(temporary: string, target: string): Promise<void> {
  for (let attempts = 0; ; attempts++) {
    try {
      await rename(temporary, target);
      return;
    } catch (error) {
      const isHeld = error instanceof Error && 'code' in error && ['EPERM', 'EACCES', 'EBUSY'].includes(String(error.code));
      const pause = pauses[attempts];
      if (!isHeld || pause === undefined || process.platform !== 'win32') throw error;
      await sleep(pause);
    }
  }
}

interface Target {
  /** Absolute, and not that of a link. */
  readonly target: string;
  /** The file that is there; null if there is none. */
  readonly replaced: Stats | null;
}

/** Follows links. */
async function targetOf(path: string, place: Place): Promise<Target> {
  const system = <T>(call: () => Promise<T>) => fromSystem(place, writable, call);
  let target = resolve(path);
  for (let links = 0; links <= mostLinks; links++) {
    const stats = await system(() => statsOf(target));
    if (stats?.isSymbolicLink() === true) {
      const link = await system(() => readlink(target));
      // The system knows where `..` leads if the folder is a link too.
      target = isAbsolute(link) ? link : `${dirname(target)}${sep}${link}`;
      continue;
    }
    if (stats === null) {
      if (path.endsWith('/') || path.endsWith(sep)) throw invalidFile(place, 'a file', 'a folder');
      return { target, replaced: null };
    }
    requireRegular(stats, place);
    await system(() => access(target, constants.W_OK));
    return { target, replaced: stats };
  }
  throw invalidFile(place, writable, `a link that leads to more than ${mostLinks} others`);
}

/** Null if there is no file. */
async function statsOf(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Gives a new file the permissions of the one that it replaces, and the owner if the system allows that. */
async function passOn({ uid, gid, mode }: Stats, handle: FileHandle): Promise<void> {
  const own = await handle.stat();
  let permissions = mode & 0o777;
  if (own.uid !== uid || own.gid !== gid) {
    const changes = await handle
      .chown(uid, gid)
      .catch(() => handle.chown(own.uid, gid))
      .then(
        () => true,
        () => false,
      );
    // Another group may do no more than all others may.
    if (!changes) permissions &= 0o707 | ((permissions & 0o007) << 3);
  }
  if ((own.mode & 0o777) !== permissions) await handle.chmod(permissions);
}

/** Each part is valid until the next one is asked for. */
async function* partsOf(tensors: readonly Tensor[], wait: Wait | null): AsyncGenerator<Uint8Array> {
  let memory = new Uint8Array(0);
  for (const tensor of tensors) {
    const { buffer, offset } = tensor;
    const size = sizeOf(tensor);
    for (let done = 0; done < size; done += partSize) {
      const length = Math.min(partSize, size - done);
      if (memory.length < length) memory = new Uint8Array(length);
      const part = partOfBytes(memory, 0, length);
      await buffer.readBytesInto(part, offset + done, wait ?? undefined);
      yield part;
    }
  }
}

function sizeOf({ dataType, sizes, strides }: Tensor): number {
  return spanInBytes(dataType, sizes, strides);
}
