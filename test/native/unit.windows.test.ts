/** Runs the C++ unit tests of native/gpu, which are in native/test, and reports each of them as a test. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { loadAddon } from '#lib/backends/directml/addon.js';

interface Result {
  readonly name: string;
  readonly failures: readonly string[];
}

const program = join(loadAddon().directory, 'directml-unit-tests.exe');

/** Parses the output of native/test/main.cpp. The last test has no `end` if it ended the process. */
function resultsIn(output: string, status: number | null): readonly Result[] {
  return output
    .split(/^test /m)
    .slice(1)
    .map((lines) => {
      const [name = '', ...failures] = lines.trimEnd().split(/\r?\n/);
      if (failures.at(-1) === 'end') failures.pop();
      else failures.push(`it ended the process: ${status ?? 'a signal'}`);
      return { name, failures };
    });
}

async function run(): Promise<{ results: readonly Result[]; status: number | null }> {
  const child = spawn(program, { stdio: ['ignore', 'pipe', 'pipe'], timeout: 600_000 });
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  const [status, output] = await Promise.all([ended, text(child.stdout)]);
  return { results: resultsIn(output, status), status };
}

const { results, status } = await run();

describe('native/gpu', () => {
  for (const { name, failures } of results) {
    test(name, () => {
      expect(failures).toEqual([]);
    });
  }
});

test('the program exits with 1 if a test failed, else with 0', () => {
  expect(status).toBe(results.some(({ failures }) => failures.length > 0) ? 1 : 0);
});
