/** Finds files of this package that a bundle does not contain. */
import { existsSync } from 'node:fs';
// Not `{ createRequire }`: webpack warns about each call of it with an unknown argument.
import Module from 'node:module';
import { dirname, sep } from 'node:path';

/** The folder of the package that `file` could import: none or one. */
export function installedPackage(file: string): string[] {
  try {
    return [dirname(Module.createRequire(file).resolve('node-directml/package.json'))];
  } catch {
    return [];
  }
}

/**
 * Electron packs files into app.asar, but Windows can only load a DLL that is a real file. asar's `unpack` option puts such files
 * into app.asar.unpacked.
 */
export function unpacked(path: string): string {
  const outside = path.replace(`app.asar${sep}`, `app.asar.unpacked${sep}`);
  return existsSync(outside) ? outside : path;
}

/** `tried "a", "b"`, or why there was nothing to try. */
export function describeSearch(paths: readonly string[]): string {
  if (paths.length === 0) return 'the bundle does not know where it is';
  return `tried ${paths.map((path) => `"${path}"`).join(', ')}`;
}
