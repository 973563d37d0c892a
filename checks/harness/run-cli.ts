/** Runs the command line: in this process, or as a process of its own. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { main } from '#lib/cli/main.js';

interface Printed {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs a command in this process, on a terminal of this width. */
export async function runCli(args: readonly string[], { width = 80, hasColors = false } = {}): Promise<Printed> {
  let out = '';
  let error = '';
  const code = await main(args, {
    width,
    hasColors,
    out: (text) => void (out += `${text}\n`),
    error: (text) => void (error += `${text}\n`),
    progress: () => undefined,
  });
  return { code, out, error };
}

/** Runs bin/node-directml.mjs, whose output goes into a pipe. */
export function spawnCli(args: readonly string[], env: Record<string, string> = {}, input = ''): Promise<Printed> {
  const program = join(import.meta.dirname, '../..', 'bin', 'node-directml.mjs');
  return new Promise((done, fail) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: 1 << 26 };
    const child = execFile(process.execPath, [program, ...args], options, (failure, out, error) => {
      if (failure !== null && typeof failure.code !== 'number') fail(new Error(`not run: ${failure.message}`));
      else done({ code: Number(failure?.code ?? 0), out, error });
    });
    child.stdin?.end(input);
  });
}
