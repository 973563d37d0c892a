/** Watches which files are opened for reading: one outside the folder of a model is noticed even if nothing of it is shown. */
import fs, { constants, realpathSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';

const watched = [
  [promises, ['open', 'readFile']],
  [fs, ['open', 'openSync', 'readFile', 'readFileSync', 'createReadStream']],
] as const;

export class Openings {
  readonly #restores: (() => void)[] = [];
  #opened: string[] = [];

  constructor() {
    for (const [module, names] of watched) for (const name of names) this.#watch(module, name);
    syncBuiltinESMExports();
  }

  /** The files that were opened since the last call, with links resolved. */
  take(): readonly string[] {
    const opened = this.#opened;
    this.#opened = [];
    return opened;
  }

  end(): void {
    for (const restore of this.#restores) restore();
    syncBuiltinESMExports();
  }

  #watch(module: object, name: string): void {
    const original: unknown = Reflect.get(module, name);
    if (typeof original !== 'function') throw new TypeError(`there is no ${name}`);
    const note = (path: unknown, flags: unknown) => {
      if (typeof path !== 'string' || (name.startsWith('open') && writes(flags))) return;
      const followsNone = typeof flags === 'number' && (flags & constants.O_NOFOLLOW) !== 0;
      this.#opened.push(followsNone ? join(realOf(dirname(path)), basename(path)) : realOf(path));
    };
    Reflect.set(module, name, function (this: unknown, ...args: readonly unknown[]): unknown {
      note(args[0], args[1]);
      return Reflect.apply(original, this, args);
    });
    this.#restores.push(() => Reflect.set(module, name, original));
  }
}

/** The fuzzer itself writes files. */
function writes(flags: unknown): boolean {
  return typeof flags === 'number'
    ? (flags & (constants.O_WRONLY | constants.O_RDWR)) !== 0
    : flags !== undefined && flags !== 'r';
}

/** True for a path within the folder; both have no links. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way.split(/[\\/]/)[0] !== '..' && !isAbsolute(way);
}

/** The path as it is if there is no such file. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
