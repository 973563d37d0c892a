/** The declarations in the package find those that they import: TypeScript would take what is missing for `any`, or refuse it. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/pages.js';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly exports: unknown };
const list = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, encoding: 'utf8' });
const [packed] = JSON.parse(list) as readonly { readonly files: readonly { readonly path: string }[] }[];
const files = new Set(packed?.files.map(({ path }) => path));

test('each entry of the package has its files, and their declarations have all that they import', () => {
  const missing: string[] = [];
  const seen = new Set<string>();
  const visit = (path: string, from: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    if (!files.has(path)) missing.push(`${path}, for ${from}`);
    else if (/\.d\.m?ts$/.test(path)) for (const other of importsOf(path)) visit(other, path);
  };
  for (const path of pathsIn(manifest.exports)) visit(path, 'package.json');
  expect(missing).toEqual([]);
});

function pathsIn(exports: unknown): readonly string[] {
  if (typeof exports === 'string') return [posix.normalize(exports)];
  return typeof exports === 'object' && exports !== null ? Object.values(exports).flatMap(pathsIn) : [];
}

function importsOf(path: string): readonly string[] {
  const text = readFileSync(join(root, path), 'utf8');
  return [...text.matchAll(/(?:from |import\()['"](\.[^'"]+)['"]/g)].map(([, relative = '']) =>
    posix.join(posix.dirname(path), relative).replace(/\.(m?)js$/, '.d.$1ts'),
  );
}
