/** The files of this package that commands read. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** All of lib/cli is in one file of dist/. */
const packageDirectory = dirname(__dirname);

/** The path of a file that the build makes, below dist/cli. */
export function builtFile(...names: readonly string[]): string {
  return join(__dirname, 'cli', ...names);
}

/** The program behind the command `node-directml`. */
export function programFile(): string {
  return join(packageDirectory, 'bin', 'node-directml.mjs');
}

export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageDirectory, 'package.json'), 'utf8'));
  const version: unknown = typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, 'version') : undefined;
  return String(version);
}

/** The text of a page in docs/operators, or null if the page is not there: some tools delete the documents of packages. */
export function operatorPage(name: string): string | null {
  try {
    return readFileSync(join(packageDirectory, 'docs', 'operators', `${name}.md`), 'utf8').replaceAll('\r\n', '\n');
  } catch {
    return null;
  }
}
