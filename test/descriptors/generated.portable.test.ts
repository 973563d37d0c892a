/** Generated files are up to date. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { operatorTable } from '#lib/descriptors/generated/table.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const script = join(root, 'scripts', 'generate.mjs');
const generate = (...args: string[]) => execFileSync(process.execPath, [script, ...args], { stdio: 'ignore' });

test('generating again changes nothing', () => {
  // --check fails if a file would change, and if a folder of generated files contains any other file.
  expect(() => generate('--check')).not.toThrow();
});

test('every operator that DirectML has is described, for the addon too', () => {
  const rows = readFileSync(join(root, 'native/describe/generated/operator_table.inc'), 'utf8').match(/DML_OPERATOR_ROW_BEGIN/g);
  const values = Object.values(operatorTable).map(({ value }) => value);
  // DirectML 1.15.4 has 177 operators. All other code counts them.
  expect(values).toEqual(Array.from({ length: 177 }, (_, i) => i + 1));
  expect(rows).toHaveLength(values.length);
});
