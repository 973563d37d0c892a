/** Tells which file this code is in. current-file.mts does the same for dist/module, which bundlers use. */
import { basename } from 'node:path';

/** The file's absolute path; undefined if a bundler has put this code into an ES module. */
export function currentFile(): string | undefined {
  return typeof __filename === 'string' ? __filename : undefined;
}

/** True if a bundler has put this code into a file of the program. */
export const isBundled = basename(currentFile() ?? '') !== 'node-directml-library.js';
