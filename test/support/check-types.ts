/** Type-checks programs that are given as text. */
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './pages.js';

/** Returns TypeScript's errors in the programs as text, empty if there are none. The keys of `programs` are file names in test/. */
export function typeErrors(programs: ReadonlyMap<string, string>, options: ts.CompilerOptions): string {
  const texts = new Map([...programs].map(([name, text]) => [join(root, 'test', name), text]));
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  const textOf = (file: string): string | undefined => texts.get(join(file));
  host.fileExists = (file) => textOf(file) !== undefined || fileExists(file);
  host.readFile = (file) => textOf(file) ?? readFile(file);
  const errors = ts.getPreEmitDiagnostics(ts.createProgram([...texts.keys()], options, host));
  return ts.formatDiagnostics(errors, { ...host, getNewLine: () => '\n' });
}
