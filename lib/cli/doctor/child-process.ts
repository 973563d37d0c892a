/** Runs a program of this package in a process of its own, which a driver can crash without ending this one. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface Ended {
  readonly output: string;
  /** How the process ended, such as `ended with exit code 3`; null if its exit code says that it has done its work. */
  readonly failure: string | null;
}

/** @param timeout in milliseconds. @param success the exit codes of a process that has done its work. */
export async function runProgram(program: readonly string[], timeout: number, success = [0]): Promise<Ended> {
  // In Electron, the variable makes the program itself run as Node.js.
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  try {
    const options = { __proto__: null, timeout, env, maxBuffer: 2 ** 26 };
    const { stdout } = await promisify(execFile)(process.execPath, program, options);
    return { output: stdout, failure: null };
  } catch (error) {
    if (!(error instanceof Error)) return { output: '', failure: 'failed' };
    const code: unknown = Reflect.get(error, 'code');
    const output = String(Reflect.get(error, 'stdout') ?? '');
    const isDone = typeof code === 'number' && success.includes(code);
    return { output, failure: isDone ? null : endOf(error, code, timeout) };
  }
}

function endOf(error: Error, code: unknown, timeout: number): string {
  if (Reflect.get(error, 'killed') === true) return `had not ended after ${timeout / 1000} s`;
  if (typeof code !== 'number') return `failed: ${error.message}`;
  return `ended with exit code ${code > 255 ? `0x${(code >>> 0).toString(16).toUpperCase()}` : code}`;
}
