/** Ctrl-C while the example generates text. On Windows, no process can send it to another one without ending itself. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runProgram } from './run-program.js';
import { tinyShape, writeTinyModel } from './tiny-model.js';

const folder = mkdtempSync(join(tmpdir(), 'node-directml-generate-'));

beforeAll(() => void writeTinyModel(folder, tinyShape));
afterAll(() => rmSync(folder, { recursive: true }));

test('ends the program at once, with the exit code of an interrupt and no error', async () => {
  let length = 0;
  const { code, output, errors } = await runProgram(
    [folder, 'in the', '--max-tokens', '100000', '--context', '4096'],
    (text, interrupt) => {
      if (length === 0 && text.length > 40) {
        length = text.length;
        interrupt();
      }
    },
  );
  expect(code).toBe(130);
  expect(errors).toBe('');
  expect(length).toBeGreaterThan(40);
  expect(output.length).toBeLessThan(length + 1000);
});
