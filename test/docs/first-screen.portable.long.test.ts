/** The commands with which the README begins, for someone who has only the repository. CI runs the one with `npm test`. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf, root, textOf } from '../support/pages.js';

const commands = (blocksOf('README.md')[0]?.code ?? '').split('\n').map((line) => line.replace(/ +#.*/, ''));

/** A copy of what git has, and what it would take: nothing that is built or installed. */
let clone = '';

beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'node-directml-clone-'));
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root });
  for (const name of list.toString().split('\0')) {
    if (name !== '' && existsSync(join(root, name))) cpSync(join(root, name), join(clone, name));
  }
});

afterAll(() => rmSync(clone, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

test('the first command runs an operator, and prints what the README says', () => {
  const [first = ''] = commands;
  expect(first).toBe('npm ci && npm start');
  const printed = execFileSync(first, { cwd: clone, shell: true, encoding: 'utf8' });
  const shown = (blocksOf('README.md')[1]?.code ?? '').trimEnd().split('\n');
  expect(shown).toContain('backend        reference');
  expect(printed.split('\n')).toEqual(expect.arrayContaining(shown));
});

test('the second command is what CI runs', () => {
  expect(commands[1]).toBe('npm ci && npm test');
  expect(textOf('.ci/run').trimEnd().split('\n').at(-1)).toBe(commands[1]);
});
