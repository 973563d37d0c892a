/** Reads files in parts or as a whole: only regular ones, so that no read waits for another program. Errors name the file. */
import { constants, type Stats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { waitFor, type Wait } from '../api/abortable.js';
import { at, DirectMLError, fieldError, shorten, type Place } from '../values/errors.js';

const readable = 'a file that can be read';
/** A flag that Windows lacks is undefined, which counts as 0. No open waits, even if the file has just become a pipe. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
/** Nor is a link followed where there was none. */
const flagsOfReal = flags | constants.O_NOFOLLOW;
/** In bytes, of one read. Node.js refuses 2^31 and more. */
const mostAtOnce = 2 ** 30;

/** The path of a file. `real` is the path with links resolved, if that is known: it is opened, but errors name `path`. */
export interface FilePath {
  readonly path: string;
  readonly real: string;
}

export class FileReader {
  readonly #handle: FileHandle;
  readonly #wait: Wait | null;
  readonly sizeInBytes: number;
  /** The method that reads the file, and the path of the file, for errors. */
  readonly place: Place;

  private constructor(handle: FileHandle, sizeInBytes: number, place: Place, wait: Wait | null) {
    this.#handle = handle;
    this.#wait = wait;
    this.sizeInBytes = sizeInBytes;
    this.place = place;
  }

  /** @throws {DirectMLError} (as a rejection) ERR_INVALID_FILE for anything but a regular file that can be read. */
  static async open(method: string, file: string | FilePath, wait: Wait | null = null): Promise<FileReader> {
    const { path, real, how } = typeof file === 'string' ? { path: file, real: file, how: flags } : { ...file, how: flagsOfReal };
    const place = { operator: method, field: path };
    // Opening some devices has effects.
    requireRegular(await waitFor(wait, () => fromSystem(place, readable, () => stat(real))), place);
    // A file that is opened after the end of the wait is closed.
    const close = (late: FileHandle) => void late.close().catch(() => undefined);
    const handle = await waitFor(wait, () => fromSystem(place, readable, () => open(real, how)), close);
    try {
      const facts = await fromSystem(place, readable, () => handle.stat());
      requireRegular(facts, place);
      return new FileReader(handle, facts.size, place, wait);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Waits for reads that have begun. */
  close(): Promise<void> {
    return this.#handle.close();
  }

  /** Fills the target with the bytes from `position` on. The signal that the method was given ends the wait. */
  read(target: Uint8Array, position: number): Promise<void> {
    return waitFor(this.#wait, () => this.#read(target, position));
  }

  /** The bytes from `position` on. @throws {DirectMLError} (as a rejection) ERR_INVALID_FILE, ERR_OUT_OF_MEMORY. */
  async bytes(position = 0, sizeInBytes = this.sizeInBytes - position): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = allocate(sizeInBytes, this.place);
    await this.read(bytes, position);
    return bytes;
  }

  async #read(target: Uint8Array, position: number): Promise<void> {
    for (let done = 0; done < target.length;) {
      const length = Math.min(target.length - done, mostAtOnce);
      const { bytesRead } = await fromSystem(this.place, readable, () =>
        this.#handle.read(target, done, length, position + done),
      );
      if (bytesRead === 0) throw invalidFile(this.place, `at least ${position + target.length} bytes`, `${position + done}`);
      done += bytesRead;
    }
  }
}

/**
 * The bytes of a whole file.
 *
 * @param most How many bytes the file may have.
 * @throws {DirectMLError} (as a rejection) ERR_INVALID_FILE, ERR_OUT_OF_MEMORY.
 */
export async function readWhole(
  method: string,
  file: string | FilePath,
  most = Number.MAX_SAFE_INTEGER,
  wait: Wait | null = null,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = await FileReader.open(method, file, wait);
  try {
    if (reader.sizeInBytes > most) throw invalidFile(reader.place, `at most ${most} bytes`, `${reader.sizeInBytes}`);
    return await reader.bytes();
  } finally {
    await reader.close();
  }
}

/** An error about the contents of a file. */
export function invalidFile(place: Place, expected: string, given: string, why?: string): DirectMLError {
  return fieldError('ERR_INVALID_FILE', place, expected, given, { why });
}

/** The place of a tensor in a file, or of one of its properties. */
export function tensorPlace({ operator, field }: Place, name: string, property?: string): Place {
  const tensor = { operator, field: `${field}: tensor '${shorten(name)}'` };
  return property === undefined ? tensor : at(tensor, property);
}

/** Calls a function of the file system. Its error becomes the cause of one that says what was expected of the file. */
export async function fromSystem<T>(place: Place, expected: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    const given = cause instanceof Error ? cause.message : 'an error';
    throw fieldError('ERR_INVALID_FILE', place, expected, given, { cause });
  }
}

/** Whoever opens a named pipe waits for its writer, perhaps for ever. A device may have no end. */
/** @throws {DirectMLError} ERR_INVALID_FILE for folders, pipes, sockets and devices. */
export function requireRegular(facts: Stats, place: Place): void {
  if (!facts.isFile()) throw invalidFile(place, 'a file', kindOf(facts));
}

function kindOf(facts: Stats): string {
  if (facts.isDirectory()) return 'a folder';
  if (facts.isFIFO()) return 'a pipe';
  return facts.isSocket() ? 'a socket' : 'a device';
}

function allocate(sizeInBytes: number, { operator, field }: Place): Uint8Array<ArrayBuffer> {
  const fail = (cause?: unknown) => {
    const message = `${operator}: ${field}: not enough memory for ${sizeInBytes} bytes`;
    return new DirectMLError('ERR_OUT_OF_MEMORY', message, { operator, field, cause });
  };
  // Linux may promise memory that there is not, and end the process when it is used. A file may have a hole of any size.
  if (sizeInBytes > totalmem()) throw fail();
  try {
    return new Uint8Array(sizeInBytes);
  } catch (cause) {
    throw fail(cause);
  }
}
