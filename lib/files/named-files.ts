/** The files that another file names, such as an index or a model: all lie in its folder, wherever links lead. */
import { realpath } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { describe, shorten, type Place } from '../values/errors.js';
import { fromSystem, invalidFile, type FilePath } from './file-reader.js';

/** Not the one of node:fs/promises, which fails on some drives of Windows. */
const resolved = promisify(realpath);

/** In characters. Errors show the names of files that cannot be opened as a whole. */
const longestName = 1024;

export class NamedFiles {
  readonly #place: Place;
  readonly #what: string;
  /** With links resolved. */
  readonly #folders: readonly string[];

  private constructor(place: Place, what: string, folders: readonly string[]) {
    this.#place = place;
    this.#what = what;
    this.#folders = folders;
  }

  /**
   * The files that the file at `place` names. If it is a link, they may also lie in the folder to which it leads: so the cache of
   * Hugging Face keeps models.
   *
   * @param what The file in errors, such as `the index`.
   */
  static async by(place: Place, what: string): Promise<NamedFiles> {
    const real = (path: string) => fromSystem(place, 'a file that can be read', () => resolved(path));
    const folders = [await real(dirname(place.field)), dirname(await real(place.field))];
    return new NamedFiles(place, what, [...new Set(folders)]);
  }

  /**
   * @param place Where the name is, for errors.
   * @throws {DirectMLError} (as a rejection) ERR_INVALID_FILE for a name that leads out of the folder, and for a missing file.
   */
  async find(name: unknown, place: Place): Promise<FilePath> {
    const expected = `the path of a file within the folder of ${this.#what}`;
    if (typeof name !== 'string') throw invalidFile(place, 'the name of a file', describe(name));
    if (leadsOut(name)) throw invalidFile(place, expected, `'${shorten(name)}'`);
    const path = join(dirname(this.#place.field), name);
    const { operator } = this.#place;
    const real = await fromSystem({ operator, field: path }, 'a file that can be read', () => resolved(path));
    if (!this.#folders.some((folder) => isInside(folder, real))) {
      throw invalidFile(place, expected, `'${shorten(name)}', a link to '${shorten(real)}'`);
    }
    return { path, real };
  }
}

/** True unless the path leads down on every system: for absolute ones, drives, streams of Windows, and `..`. */
function leadsOut(name: string): boolean {
  // Windows leaves out dots and spaces at the end.
  const parts = name.replace(/^\.\//, '').split(/[\\/]/);
  return name.length > longestName || parts.some((part) => /^[. ]*$|[:\0]/.test(part));
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
