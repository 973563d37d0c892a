/** The side of a child process in children.ts: its arguments, and how it writes a line. */
import { openSync, writeSync } from 'node:fs';

export function asChild(): { readonly args: readonly string[]; write(line: string): void } {
  const [path = '', ...args] = process.argv.slice(2);
  const file = openSync(path, 'a');
  return { args, write: (line) => void writeSync(file, `${line.replaceAll('\n', ' ')}\n`) };
}
