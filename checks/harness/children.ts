/**
 * Child processes that may die or hang, on Windows' node.exe or this one. A child writes lines to a file, as soon as it has
 * them. If it ends or is silent for too long, another one continues.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { StringDecoder } from 'node:string_decoder';

interface Children {
  /** A compiled script of `checks`, such as `parity/child.js`. */
  readonly script: string;
  /** Options of node.exe. */
  readonly flags?: readonly string[];
  /** The sandbox's name of the Node.js, `node` or `node22`; null for the one that runs this. On Windows it is always this one. */
  readonly node?: string | null;
  /** The text of a file, whose path is the last argument of each child. */
  readonly file?: string | undefined;
  /** The time without a new line after which a child is killed, in milliseconds. */
  readonly maxSilence: number;
  /** Returns the arguments of the next child; null if nothing is left to do. Called again if a child could not start. */
  next(): readonly string[] | null;
  /** Called with the lines of a child as it writes them. */
  onLines(lines: readonly string[]): void;
  /** Called after each child that wrote something. `output` is what it printed. */
  onEnd(end: End, output: string): void;
}

/** The exit code of a child; `hang` if it was killed because it was silent. */
export type End = number | null | 'hang';

/** The folder of the checkout, in which tools run. */
export const ROOT = process.cwd();
export const TOOLS = join(ROOT, 'build', 'tools');
const POLL_MS = 500;
const STARTS = 3;
let series = 0;

export async function runChildren(children: Children): Promise<void> {
  const folder = join(ROOT, 'build', 'children', `${process.pid}-${series++}`);
  mkdirSync(folder, { recursive: true });
  const written = join(folder, 'written.txt');
  const log = join(folder, 'child.log');
  const file = join(folder, 'given.txt');
  if (children.file !== undefined) writeFileSync(file, children.file);
  try {
    let failedStarts = 0;
    for (let args = children.next(); args !== null; args = children.next()) {
      writeFileSync(written, '');
      const given = children.file === undefined ? args : [...args, pathOf(file)];
      const lines = new Lines(written, children.onLines);
      const end = await runChild(children, given, lines, written, log);
      const output = readFileSync(log, 'utf8');
      if (lines.isEmpty) {
        if (++failedStarts === STARTS) throw new Error(`the child process cannot start (exit code ${end}):\n${output}`);
        continue;
      }
      failedStarts = 0;
      children.onEnd(end, output);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The path relative to the root, which is valid inside and outside the sandbox. */
function pathOf(path: string): string {
  return relative(ROOT, path);
}

async function runChild(
  { script, flags = [], node = 'node', maxSilence }: Children,
  args: readonly string[],
  lines: Lines,
  written: string,
  log: string,
): Promise<End> {
  const sandbox = process.platform === 'win32' || node === null ? [] : [join('sandbox', 'run.mjs'), node];
  const command = [...sandbox, ...flags, pathOf(join(TOOLS, script)), pathOf(written), ...args];
  const output = openSync(log, 'w');
  const child = spawn(process.execPath, command, { cwd: ROOT, stdio: ['ignore', output, output] });
  let hangs = false;
  let silentSince = Date.now();
  const watch = setInterval(() => {
    if (lines.read()) silentSince = Date.now();
    else if (Date.now() - silentSince > maxSilence) hangs = child.kill();
  }, POLL_MS);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(hangs ? 'hang' : code));
    });
  } finally {
    clearInterval(watch);
    closeSync(output);
    lines.read();
    lines.close();
  }
}

/** Reads lines from a file as it grows; an unfinished last line waits for its end. */
class Lines {
  isEmpty = true;
  readonly #onLines: (lines: readonly string[]) => void;
  readonly #file: number;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  constructor(path: string, onLines: (lines: readonly string[]) => void) {
    this.#onLines = onLines;
    this.#file = openSync(path, 'r');
  }

  /** Returns true if the file has grown. */
  read(): boolean {
    // Continues where the last read ended.
    const bytes = readFileSync(this.#file);
    const lines = (this.#rest + this.#decoder.write(bytes)).split('\n');
    this.#rest = lines.pop() ?? '';
    if (lines.length > 0) {
      this.isEmpty = false;
      this.#onLines(lines);
    }
    return bytes.length > 0;
  }

  close(): void {
    closeSync(this.#file);
  }
}
