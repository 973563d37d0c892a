/** Which file this code is in. own-file.mts has the same for dist/module, which bundlers take. */
import { basename } from 'node:path';

/** The file's absolute path; undefined if a bundler has put this code into an ES module. */
export function ownFile(): string | undefined {
  return typeof __filename === 'string' ? __filename : undefined;
}

/** True if a bundler has put this code into a file of the program. */
export const isBundled = basename(ownFile() ?? '') !== 'own-file.js';
