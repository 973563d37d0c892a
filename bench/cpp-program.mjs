// @ts-check
// The C++ program of bench/native, with which the package is compared.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const program = fileURLToPath(new URL(`../build/win32-${process.arch}/directml-bench.exe`, import.meta.url));

/**
 * Starts the program on the adapter of a device. `ask` sends it a command and returns its answer, `time` does so for a command that
 * measures, in milliseconds, and `end` ends it.
 */
export async function startProgram(/** @type {import('node-directml').DeviceInfo} */ { adapter, directmlPath }) {
  if (adapter === null || directmlPath === null) throw new Error('the device is not one of DirectML');
  const child = spawn(program, [directmlPath, adapter.luid], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () => {
    const line = await lines.next();
    if (line.done) throw new Error(`${program} ended with exit code ${String((await ended)[0])}`);
    return line.value;
  };
  await answer();
  const ask = async (/** @type {string} */ command) => {
    child.stdin.write(`${command}\n`);
    const text = await answer();
    if (Number.isNaN(Number(text))) throw new Error(`${command}: ${text}`);
    return Number(text);
  };
  return {
    ask,
    time: async (/** @type {string} */ command) => (await ask(command)) / 1000,
    async end() {
      child.stdin.end();
      await ended;
    },
  };
}
