/** What is generated is up to date, and the same surface is there however the package is loaded. */
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const script = join(root, 'scripts', 'generate.mjs');
const generate = (...args: string[]) => execFileSync(process.execPath, [script, ...args], { stdio: 'ignore' });

test('generating again changes nothing', () => {
  // It fails where a file would change.
  expect(() => generate('--check')).not.toThrow();
});

test('the generator takes every operator that DirectML has', () => {
  const folder = mkdtempSync(join(tmpdir(), 'node-directml-'));
  generate('--all', '--out', folder);
  const rows = readFileSync(join(folder, 'native/generated/operator_table.inc'), 'utf8').match(/DML_OPERATOR_ROW_BEGIN/g);
  expect(rows).toHaveLength(177);
  rmSync(folder, { recursive: true });
});

test('require and import give the same names and the same classes', async () => {
  const required: unknown = createRequire(import.meta.url)('node-directml');
  const imported: object = await import('node-directml');
  if (typeof required !== 'object' || required === null) throw new TypeError('no exports');
  expect(Object.keys(imported).sort()).toEqual(Object.keys(required).sort());
  for (const name of Object.keys(imported)) expect(Reflect.get(imported, name)).toBe(Reflect.get(required, name));
});
