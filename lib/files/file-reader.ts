/** Reads a file in parts. Errors name the file. */
import { open, type FileHandle } from 'node:fs/promises';
import { waitFor, type Wait } from '../api/abortable.js';
import { at, fieldError, shorten, type DirectMLError, type Place } from '../errors.js';

const readable = 'a file that can be read';

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

  static async open(method: string, path: string, wait: Wait | null = null): Promise<FileReader> {
    const place = { operator: method, field: path };
    // A file that is opened after the end of the wait is closed.
    const close = (late: FileHandle) => void late.close().catch(() => undefined);
    const handle = await waitFor(wait, () => fromSystem(place, readable, () => open(path, 'r')), close);
    try {
      const stat = await fromSystem(place, readable, () => handle.stat());
      if (!stat.isFile()) throw invalidFile(place, 'a file', stat.isDirectory() ? 'a folder' : 'something else');
      return new FileReader(handle, stat.size, place, wait);
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

  async #read(target: Uint8Array, position: number): Promise<void> {
    for (let done = 0; done < target.length;) {
      const { bytesRead } = await fromSystem(this.place, readable, () =>
        this.#handle.read(target, done, target.length - done, position + done),
      );
      if (bytesRead === 0) throw invalidFile(this.place, `at least ${position + target.length} bytes`, `${position + done}`);
      done += bytesRead;
    }
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
