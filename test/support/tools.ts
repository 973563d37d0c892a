/** Runs the compiled test tools. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The output of a tool, such as `parity`. Throws an error with the output if the tool fails. */
export async function outputOf(tool: string, ...args: string[]): Promise<string> {
  const path = join(import.meta.dirname, '..', '..', 'build', 'tools', tool);
  const run = promisify(execFile)(process.execPath, [path, ...args]);
  const { stdout } = await run.catch((error: unknown) => {
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    throw new Error(`the tool failed:\n${output}`, { cause: error });
  });
  return stdout;
}
