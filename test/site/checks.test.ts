/** `npm run docs` fails on these mistakes in pages. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const script = async (name: string) => (await import(new URL(`../../scripts/docs/${name}`, import.meta.url).href)) as unknown;

test('finds links to pages, files and anchors that do not exist', async () => {
  const { checkLinks } = (await script('check-links.mjs')) as {
    checkLinks: (folder: string, base: string) => { pages: number; links: number; dead: string[] };
  };
  const folder = mkdtempSync(join(tmpdir(), 'site-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'operators'));
  const good = [
    '/base/',
    '/base/operators/',
    '/base/operators/gemm#fields',
    '#top',
    './operators/gemm',
    '/base/data.json',
    'https://x.org/',
  ];
  const bad = ['/base/operators', '/base/gemm', '/base/operators/gemm#none', '#none', '/elsewhere/', '/base/data.json#x', 'gemm'];
  const links = [...good, ...bad].map((href) => `<a class="link" href="${href}">text</a>`);
  writeFileSync(join(folder, 'index.html'), `<h1 id="top">Title</h1>${links.join('')}`);
  writeFileSync(join(folder, 'operators', 'index.html'), '<a href="./gemm">gemm</a>');
  writeFileSync(join(folder, 'operators', 'gemm.html'), '<h2 id="fields">Fields</h2>');
  writeFileSync(join(folder, 'data.json'), '{}');
  expect(checkLinks(folder, '/base/')).toEqual({ pages: 3, links: 14, dead: bad.map((href) => `index.html: ${href}`) });
});

test('finds fields of operators without a meaning', async () => {
  const { withoutMeaning } = (await script('operator-pages.mjs')) as {
    withoutMeaning: (operator: string, page: string) => string[];
  };
  const page = `# gemm

## Fields

| field | type | needed | meaning |
| --- | --- | --- | --- |
| \`aTensor\` | \`TensorDesc\` | required | Input. The first factor \\| a. |
| \`bTensor\` | \`TensorDesc\` | required | Input. |
| \`alpha\` | \`number\` | default: 1 |  |
`;
  expect(withoutMeaning('gemm', page)).toEqual(['gemm.bTensor', 'gemm.alpha']);
  expect(withoutMeaning('gemm', '# gemm\n')).toEqual(['gemm: no table of fields']);
});
