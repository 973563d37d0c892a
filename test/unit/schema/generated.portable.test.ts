/** Generated files are up to date, and the API is the same however the package is loaded. */
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { operatorTable } from '#lib/schema/generated/table.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const script = join(root, 'scripts', 'generate.mjs');
const generate = (...args: string[]) => execFileSync(process.execPath, [script, ...args], { stdio: 'ignore' });

test('generating again changes nothing', () => {
  // It fails if a file would change, and if there is another file in a folder of generated files.
  expect(() => generate('--check')).not.toThrow();
});

test('every operator that DirectML has is described, for the addon too', () => {
  const rows = readFileSync(join(root, 'native/describe/generated/operator_table.inc'), 'utf8').match(/DML_OPERATOR_ROW_BEGIN/g);
  expect(rows).toHaveLength(177);
  const values = Object.values(operatorTable).map(({ value }) => value);
  expect(values).toEqual(Array.from({ length: 177 }, (_, i) => i + 1));
});

test('require and import give the same names and the same classes', async () => {
  const required: unknown = createRequire(import.meta.url)('node-directml');
  const imported: object = await import('node-directml');
  if (typeof required !== 'object' || required === null) throw new TypeError('no exports');
  expect(Object.keys(imported).sort()).toEqual(Object.keys(required).sort());
  for (const name of Object.keys(imported)) expect(Reflect.get(imported, name)).toBe(Reflect.get(required, name));
});

test('the files for bundlers give the same names', async () => {
  const forBundlers = async (name: string): Promise<object> =>
    import(new URL(`../../../dist/module/${name}`, import.meta.url).href);
  expect(Object.keys(await forBundlers('index.mjs'))).toEqual(Object.keys(await import('node-directml')));
  expect(Object.keys(await forBundlers('webnn.mjs'))).toEqual(Object.keys(await import('node-directml/webnn')));
});
