/** The reasons why nodes run on the CPU. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { convertedOperators, reasonFor } from '#lib/onnxruntime/reasons.js';

const value = (name: string, elementType: number, dims: readonly (number | string)[]) =>
  [name, { name, elementType, dims, unnamed: new Set<number>() }] as const;
const inputs = new Map([value('x', 1, [1, 'rows']), value('d', 11, [2]), value('s', 8, []), value('b', 9, [3])]);

test('tells what is known of a node', () => {
  const why = (opType: string, ...names: string[]) => reasonFor({ opType, inputs: names }, inputs, { rows: 0 });
  expect(why('')).toBe('onnxruntime added it');
  expect(why('TopK', 'd')).toBe('TopK is none of the operators that onnxruntime-web 1.30 converts to WebNN');
  expect(why('Concat', 'a', 'x')).toBe("its input 'x' is empty, and WebNN has no empty tensors");
  expect(why('Add', 'b', 'd')).toBe("its input 'd' is float64, which WebNN does not have");
  expect(why('Equal', 's')).toBe("its input 's' is string, which WebNN does not have");
  expect(why('Add', 'a', 'b')).toBe('onnxruntime does not say');
  expect(reasonFor({ opType: 'Concat', inputs: ['x'] }, inputs, { rows: 1 })).toBe('onnxruntime does not say');
});

test('the list of operators is that of onnxruntime-web', () => {
  const table = readFileSync(new URL('../../../node_modules/onnxruntime-web/docs/webnn-operators.md', import.meta.url), 'utf8');
  const rows = table.split('\n').filter((line) => /\| (?:ai\.onnx|com\.microsoft)\(/.test(line));
  expect([...convertedOperators].sort()).toEqual(rows.map((row) => row.split('|')[1]?.trim()).sort());
});
