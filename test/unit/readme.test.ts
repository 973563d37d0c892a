/** The programs in the README and in docs/graphs.md run, and print what they say they print. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The blocks of JavaScript on a page. */
function blocksOf(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8').replaceAll('\r\n', '\n');
  return [...text.matchAll(/^```js\n(.*?)^```/gms)].map(([, block = '']) => block);
}

/** A program begins with its imports. */
const isBeginning = (block: string) => block.startsWith('import ');

/** Programs of which each takes up several blocks: those without imports continue the program before. */
function joined(blocks: readonly string[]): string[] {
  const programs: string[] = [];
  for (const block of blocks) programs.push(isBeginning(block) ? block : `${programs.pop() ?? ''}${block}`);
  return programs;
}

/** What console.log prints, without the count of elements and on one line. */
const simplified = (printed: string) =>
  printed
    .replace(/\(\d+\) \[/g, ' [')
    .replace(/\s+/g, ' ')
    .replace(/(?<=\[) | (?=\])/g, '')
    .trim();

/** What the comments behind `console.log` say it prints. */
function promisesOf(program: string): string[] {
  const comments = [...program.matchAll(/console\.log\(.*\); *\/\/ (.*)/g)].map(([, comment = '']) => comment);
  expect(comments).not.toEqual([]);
  return comments.flatMap((comment) => comment.split(', then '));
}

const pages = {
  'README.md': blocksOf('README.md').filter(isBeginning),
  'docs/graphs.md': joined(blocksOf('docs/graphs.md')),
};

describe.each(Object.entries(pages))('%s', (_, programs) => {
  test.each(programs.map((program, i) => [i + 1, program] as const))('program %i', { timeout: 60_000 }, (_number, program) => {
    const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: root, encoding: 'utf8' });
    expect(simplified(printed)).toBe(simplified(promisesOf(program).join(' ')));
  });
});

test('there are programs', () => {
  expect(pages['README.md'].length).toBeGreaterThanOrEqual(3);
  expect(pages['docs/graphs.md'].length).toBeGreaterThanOrEqual(3);
});
