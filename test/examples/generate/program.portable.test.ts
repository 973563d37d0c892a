/** The command line of the example that generates text. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawn } from '../../support/level.js';
import { runProgram } from './run-program.js';
import { tinyShape, writeTinyModel } from './tiny-model.js';

const folder = mkdtempSync(join(tmpdir(), 'node-directml-generate-'));

beforeAll(() => void writeTinyModel(folder, { ...tinyShape, files: 2 }));
afterAll(() => rmSync(folder, { recursive: true }));

const kinds = ['float32', 'int4', 'float16', 'int8'];

test.each(kinds.slice(0, drawn({ quick: 2, all: 4 })))('it continues a text with weights as %s', async (weights) => {
  const { code, output, errors } = await runProgram([folder, 'in the', '--weights', weights, '--max-tokens', '20']);
  expect(errors).toBe('');
  expect(code).toBe(0);
  expect(output).toMatch(/^in the[^]+\n$/);
});

test('the same seed gives the same text', async () => {
  const args = [folder, 'in the', '--max-tokens', '20', '--temperature', '1', '--top-k', '10', '--context', '64'];
  const texts = [];
  for (const seed of ['1', '1', '2']) texts.push((await runProgram([...args, '--seed', seed])).output);
  expect(texts[1]).toBe(texts[0]);
  expect(texts[2]).not.toBe(texts[0]);
});

test('without a folder it says how to use it', async () => {
  const { code, output, errors } = await runProgram([]);
  expect(code).toBe(2);
  expect(output).toBe('');
  expect(errors).toMatch(/^usage: /);
});

test('Ctrl-C ends it at once, without an error', async () => {
  let length = 0;
  const { code, output, errors } = await runProgram([folder, 'in the', '--max-tokens', '100000', '--context', '4096'], {
    onOutput: (text, interrupt) => {
      if (length > 0 || text.length <= 40) return;
      length = text.length;
      interrupt();
    },
  });
  expect(code).toBe(130);
  expect(errors).toBe('');
  expect(length).toBeGreaterThan(40);
  expect(output.length).toBeLessThan(length + 1000);
});
