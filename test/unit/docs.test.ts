/** Every link between our own pages leads to an existing file and heading. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = ['README.md', ...markdownIn('docs'), ...markdownIn('docs/operators')].map((name) => join(root, name));

test('links between pages lead to a file and to a heading of it', () => {
  const broken = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
      .filter(([, path = '', anchor]) => !leadsSomewhere(page, path, anchor))
      .map(([link]) => `${relative(root, page)}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test('pages list other names of operators, and common mistakes', () => {
  const page = (name: string) => readFileSync(join(root, 'docs', 'operators', `${name}.md`), 'utf8');
  expect(page('gemm')).toMatch(/^Also known as: ONNX `Gemm`, `MatMul`, .*; WebNN `gemm`, `matmul`; PyTorch `torch.matmul`/m);
  expect(page('elementWiseDifferenceSquare')).toContain('\nAlso known as: `tf.math.squared_difference`.\n');
  expect(page('adamOptimizer')).toMatch(/^\| `trainingStepTensor` .*\*\*Note:\*\* Count steps from 1;/m);
});

function leadsSomewhere(page: string, path: string, anchor: string | undefined): boolean {
  const target = path === '' ? page : join(dirname(page), path);
  return existsSync(target) && (anchor === undefined || headingsOf(target).includes(anchor));
}

/** The anchors of headings, as GitHub names them in links. */
function headingsOf(page: string): string[] {
  const headings = readFileSync(page, 'utf8').match(/^#+ .*$/gm) ?? [];
  return headings.map((heading) =>
    heading
      .replace(/^#+ /, '')
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

function markdownIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}
