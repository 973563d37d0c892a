/** Guides, recipes and examples follow the pages of operators that say "Take X": they use the newest version. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { OperatorType } from 'node-directml';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import { isOperatorType } from '#lib/operators/resolve.js';
import { pages, root, textOf } from '../support/pages.js';

/** Pages that tell versions apart, and those of WebNN and arrays, which have other names. */
const others = [
  ...['CHANGELOG.md', 'docs/array-functions.md', 'docs/differences.md', 'docs/indices.md', 'docs/webnn.md'],
  ...['docs/guides/arrays.md', 'docs/guides/gradients.md'],
];

/** The operators that a newer version replaces, each with that version. */
const replaced = new Map(
  readdirSync(join(root, 'docs', 'operators')).flatMap((file) => {
    const page = textOf(`docs/operators/${file}`);
    const [, newest] = /^Take \[(\w+)\]\(\w+\.md\) unless you need a feature level below /m.exec(page) ?? [];
    return newest === undefined ? [] : [[file.replace('.md', ''), newest] as const];
  }),
);

/** Where readers find calls to copy. */
const texts = [
  ...pages.filter((page) => !others.includes(page)),
  ...readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mjs') && !name.includes('node_modules'))
    .map((name) => `examples/${name.replaceAll('\\', '/')}`),
];

test('pages, recipes and examples use the newest version of each operator', () => {
  expect(replaced.size).toBeGreaterThan(20);
  expect(texts).toEqual(expect.arrayContaining(['README.md', 'docs/recipes.md', 'examples/recipes/kv-cache.mjs']));
  const older = texts.flatMap((file) =>
    operatorsIn(textOf(file)).flatMap((name) => {
      const newest = replaced.get(name);
      return newest === undefined ? [] : [`${file}: ${name}, take ${newest}`];
    }),
  );
  expect(older).toEqual([]);
});

test('no newest version needs more fields than an older one', () => {
  const needed = (type: OperatorType) =>
    operatorTable[type].fields.flatMap((field) => {
      const isNeeded = field.role !== 'output' && field.optional !== true && field.counts === undefined;
      return isNeeded && field.default === undefined ? [field.name] : [];
    });
  const pairs = [...replaced].filter((pair): pair is [OperatorType, OperatorType] => pair.every(isOperatorType));
  expect(pairs).toHaveLength(replaced.size);
  const longer = pairs.filter(([older, newest]) => needed(newest).length > needed(older).length);
  expect(longer.map(([, newest]) => newest)).toEqual([]);
});

test.each([
  ['topK(x, { k: 5 }), `maxPooling` and `slice(x, {})`', ['topK', 'slice', 'maxPooling']],
  ["{ type: 'padding' }", ['padding']],
  ["import { gemm, resample as resize } from 'node-directml/operators';", ['gemm', 'resample']],
  ["const { topK: best } = require('node-directml/operators');", ['topK']],
  ["import { topK1 as topK } from 'node-directml/operators'; topK(x)", ['topK1']],
  ['[slice](../operators/slice.md), or [slice1](operators/slice1.md#example)', ['slice', 'slice1']],
  ['bytes.slice(1), ...padding, the padding (zeros), function topK(', []],
])('%s names operators', (text, names) => {
  expect(operatorsIn(text).filter((name) => names.length > 0 || replaced.has(name))).toEqual(names);
});

/** The names in a text that could be an operator's: in imports, calls, code and links. Another name for a newer one is none. */
function operatorsIn(text: string): string[] {
  const lists = [...text.matchAll(/(?:import|const) \{([^}]*)\}(?: from |.*\()'node-directml\/operators'/g)];
  const imports = lists.flatMap(([, list = '']) => [...list.matchAll(/(\w+)(?:(?: as |: )(\w+))?/g)]);
  const renamed = new Set(imports.map(([, , local]) => local));
  const calls = [...text.matchAll(/(?<![.\w]|function )(\w+)\(/g)].filter(([, name]) => !renamed.has(name));
  const named = [...text.matchAll(/['"`](\w+)['"`]/g), ...text.matchAll(/\boperators\/(\w+)\.md/g)];
  return [...imports, ...calls, ...named].map(([, name = '']) => name).filter((name) => name !== 'require');
}
