/** The places where the package looks for its files that are not JavaScript. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeSearch, installedPackage, unpacked } from '#lib/backends/own-package.js';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'own-package-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

test("a file that Electron's archive has unpacked is taken from beside the archive", () => {
  const inside = join(folder, 'app.asar', 'prebuilds', 'a.node');
  expect(unpacked(inside)).toBe(inside);
  const outside = join(folder, 'app.asar.unpacked', 'prebuilds', 'a.node');
  mkdirSync(dirname(outside), { recursive: true });
  writeFileSync(outside, '');
  expect(unpacked(inside)).toBe(outside);
});

test('finds the package that a program could import by its package.json', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  expect(installedPackage(join(root, 'program.mjs')).map((path) => join(path, '.'))).toEqual([join(root, '.')]);
  expect(installedPackage(join(folder, 'program.mjs'))).toEqual([]);
});

test('names the places that were tried', () => {
  expect(describeSearch(['a', 'b'])).toBe('tried "a", "b"');
  expect(describeSearch([])).toBe('the bundle does not know where it is');
});
