/** What the site's playground does without a browser. `npm run docs` runs the programs of all pages in Chromium. */
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';

const load = async (name: string) =>
  (await import(new URL(`../../docs/.vitepress/playground/${name}`, import.meta.url).href)) as unknown;

test('a block gets a Run button if its program needs nothing but the library', async () => {
  const { runnableParts } = (await load('programs.mjs')) as {
    runnableParts: (blocks: readonly { language: string; code: string }[]) => unknown;
  };
  const begin = `import { createDevice } from 'node-directml';\n`;
  const js = (code: string) => ({ language: 'js', code });
  const blocks = [
    js('const x = 1;\n'),
    js(`${begin}const device = await createDevice();\n`),
    { language: 'sh', code: 'npm install\n' },
    js('device.dispose();\n'),
    js(`${begin}import { readFile } from 'node:fs/promises';\n`),
    js('await readFile("x");\n'),
    js(`// name.mjs\n${begin}`),
    js(`${begin}await createDevice({ backend: 'directml' });\n`),
    { language: 'ts', code: `import {\n  gemm,\n} from 'node-directml/operators';\n` },
  ];
  expect(runnableParts(blocks)).toEqual([
    { block: 1, program: 0, before: '' },
    { block: 3, program: 0, before: blocks[1]?.code },
    { block: 8, program: 1, before: '' },
  ]);
});

test('what a tensor was read into is shown as nested numbers and as grids, if its elements are in row-major order', async () => {
  const { grids, nested, rememberSizes } = (await load('grids.mjs')) as {
    grids: (value: unknown) => { name: string; rows: number[][] }[];
    nested: (value: unknown) => unknown;
    rememberSizes: (library: object) => void;
  };
  class Tensor {
    constructor(
      readonly sizes: readonly number[],
      readonly strides: readonly number[] | null = null,
    ) {}
    async read() {
      return Promise.resolve(Float32Array.of(1, 2, 3, 4, 5, 6));
    }
  }
  rememberSizes({ Tensor });
  expect(nested(await new Tensor([2, 3]).read())).toEqual([[1, 2, 3], [4, 5, 6]]); // prettier-ignore
  expect(nested(await new Tensor([1, 3, 2]).read())).toEqual([[[1, 2], [3, 4], [5, 6]]]); // prettier-ignore
  expect(grids(await new Tensor([3, 1, 2]).read()).map(({ name, rows }) => [name, rows])).toEqual([
    ['[0]', [[1, 2]]],
    ['[1]', [[3, 4]]],
    ['[2]', [[5, 6]]],
  ]);
  for (const other of [new Tensor([6]), new Tensor([2, 2]), new Tensor([2, 3], [1, 2])])
    expect(nested(await other.read())).toBeNull();
  expect(nested([[1, 2]])).toBeNull();
});

test('a link holds a program, and other fragments hold none', async () => {
  const { fragmentOf, programIn } = (await load('link.mjs')) as {
    fragmentOf: (code: string) => Promise<string>;
    programIn: (fragment: string) => Promise<string | null>;
  };
  const code = `console.log('∑ → 3');\n`.repeat(50);
  const fragment = await fragmentOf(code);
  expect(fragment).toMatch(/^#[\w-]{20,120}$/);
  expect(await programIn(fragment)).toBe(code);
  expect(await programIn('#fields')).toBeNull();
  expect(await programIn('')).toBeNull();
});

test.each<[string, unknown]>([
  [
    'objects',
    [
      { a: 1, b: 'x' },
      { b: [1, 2], c: null },
    ],
  ],
  ['arrays', [[1, 2], [3]]],
  ['numbers', [1.5, -0, NaN]],
  ['named rows', { first: { time: 1 }, second: 2, third: { deep: { x: 1 } } }],
  ['nothing', []],
])('console.table prints %s as Node.js does', async (_, data) => {
  const { tableOf } = (await load('table.mjs')) as { tableOf: (data: unknown, inspect: object) => string | null };
  let printed = '';
  const stdout = new Writable({ write: (chunk, _encoding, done) => done(void (printed += String(chunk))) });
  new Console(stdout).table(data);
  expect(`${tableOf(data, inspect)}\n`).toBe(printed);
});

test('console.table prints what has no rows as console.log does', async () => {
  const { tableOf } = (await load('table.mjs')) as { tableOf: (data: unknown, inspect: object) => string | null };
  for (const data of [5, 'text', null, undefined]) expect(tableOf(data, inspect)).toBeNull();
});

test('the playground offers programs of guides, recipes and operators, each with a name of its own', async () => {
  const { allExamples } = (await load('programs.mjs')) as {
    allExamples: () => readonly { group: string; name: string; code: string }[];
  };
  const examples = allExamples();
  const namesOf = (wanted: string) => examples.flatMap(({ group, name }) => (group === wanted ? name : []));
  expect(namesOf('Guides')).toEqual(
    expect.arrayContaining(['Functions', 'Arrays', 'jit and gradients', 'Layers and training', 'WebNN']),
  );
  expect(namesOf('Recipes')).toEqual(expect.arrayContaining(['Training loop', 'k-means', 'Normalize images']));
  expect(namesOf('Operators')).toHaveLength(177);
  for (const group of ['Guides', 'Recipes', 'Operators']) expect(new Set(namesOf(group)).size).toBe(namesOf(group).length);
  for (const { code } of examples) expect(code).toMatch(/^import /);
});
