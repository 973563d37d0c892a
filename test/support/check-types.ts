/** Checks the types of programs that are text. */
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './pages.js';

/** What TypeScript says about the programs, which are by the names of files in test/: nothing, if it finds no error. */
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
