/** Like current-file.ts, for dist/module, which bundlers put into ES modules as well as into CommonJS. */
import { fileURLToPath } from 'node:url';

/** What webpack and its relatives put into a bundle. */
declare const __webpack_require__: unknown;

/** The file's absolute path; undefined if it is an ES module whose bundler leaves no trace of it. */
export function currentFile(): string | undefined {
  try {
    // Not `typeof __filename`: webpack takes that for a string in ES modules too.
    return __filename;
  } catch {
    return fileOfModule();
  }
}

function fileOfModule(): string | undefined {
  // webpack replaces `import.meta.url` by that of the file that it has read: a path of the machine that made the bundle.
  if (typeof __webpack_require__ !== 'undefined') return undefined;
  const url: unknown = import.meta.url;
  try {
    return typeof url === 'string' ? fileURLToPath(url) : undefined;
  } catch {
    return undefined;
  }
}

/** True if a bundler has put this code into a file of the program. */
export const isBundled = true;
