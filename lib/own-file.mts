/** Like own-file.ts, for dist/module.mjs: the one file that bundlers put into ES modules as well as into CommonJS. */
import { fileURLToPath } from 'node:url';

/** The file's absolute path; undefined if it is an ES module whose bundler leaves no trace of it. */
export function ownFile(): string | undefined {
  try {
    // Not `typeof __filename`: webpack takes that for a string in ES modules too.
    return __filename;
  } catch {
    return fileOfModule();
  }
}

function fileOfModule(): string | undefined {
  const url: unknown = import.meta.url;
  try {
    return typeof url === 'string' ? fileURLToPath(url) : undefined;
  } catch {
    // webpack puts in the URL of the file that it has read, maybe on another operating system.
    return undefined;
  }
}

/** True if a bundler has put this code into a file of the program. */
export const isBundled = true;
