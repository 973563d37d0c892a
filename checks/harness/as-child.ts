/** The child's side of children.ts: reads the arguments, and writes lines. */
import { openSync, writeSync } from 'node:fs';

export function asChild(): { readonly args: readonly string[]; write(line: string): void } {
  const [path = '', ...args] = process.argv.slice(2);
  const file = openSync(path, 'a');
  return { args, write: (line) => void writeSync(file, `${line.replaceAll('\n', ' ')}\n`) };
}
