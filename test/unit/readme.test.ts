/** The programs at the top of the README run, and print what they say they print. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8').replaceAll('\r\n', '\n');
const programs = [...readme.matchAll(/```js\n(import .*?)```/gs)].map(([, program = '']) => program);

/** The numbers within the brackets of `Float32Array [5, 6]`, on however many lines they are. */
const numbersIn = (text: string): string[] =>
  (text.match(/\[[^\]]*\]/g) ?? []).flatMap((list) => list.match(/-?\d+(\.\d+)?/g) ?? []);

test.each(programs.map((program, i) => [i + 1, program] as const))('program %i', { timeout: 60_000 }, (_, program) => {
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: root, encoding: 'utf8' });
  const promised = [...program.matchAll(/console\.log.*?\/\/ Float32Array (\[.*\])/g)].map(([, numbers = '']) => numbers);
  expect(promised).not.toEqual([]);
  expect(numbersIn(printed)).toEqual(promised.flatMap(numbersIn));
});

test('the README has programs', () => {
  expect(programs.length).toBeGreaterThanOrEqual(2);
});
