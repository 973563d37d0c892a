/** How `npm run bench -- --scaling` judges and shows how costs grow. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('programs/growth.mjs', import.meta.url));
const { stdout } = await promisify(execFile)(process.execPath, [program]);
const { exponents, linear, square, table, plot } = JSON.parse(stdout);

test('the exponent is that of the last decade', () => {
  expect(exponents.linear).toBeCloseTo(1, 5);
  expect(exponents.square).toBeCloseTo(2, 5);
  expect(exponents.stepBefore).toBeCloseTo(1, 5);
  expect(exponents.mostlyConstant).toBeLessThan(0.15);
});

test('costs that are too small have no exponent', () => {
  expect(exponents.small).toBeNull();
});

test('the table says which rows are superlinear', () => {
  expect([linear, square]).toEqual([true, false]);
  expect(table[2]).toBe('| 10,000 nodes | 100 ms | 1.00 | 200 ms | 1000 MiB | 1.00 | linear or better |');
  expect(table[3]).toContain('FAILED: superlinear');
});

test('the plot is an SVG', () => {
  expect(plot).toMatch(/^<svg [^]*JavaScript thread[^]*<\/svg>$/);
});
