/** What the site's playground does without a browser. `npm run docs` runs the programs of all pages in Chromium. */
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
