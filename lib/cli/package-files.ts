/** The files of this package that commands read. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { OperatorType } from '../index.js';

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

/** The text of a page in docs/operators. */
export function operatorPage(name: 'README' | OperatorType): string {
  const pages = JSON.parse(brotliDecompressSync(readFileSync(builtFile('operators.json.br'))).toString()) as Record<
    string,
    string
  >;
  return pages[name] ?? '';
}
