/** The pages agree with the program: links lead to headings, and diagrams and names are those of the program. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { createDevice, type Device, type Value } from 'node-directml';
import { named, nested, type WeightTree } from 'node-directml/nn';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import { workedExamples } from '../../checks/operators/examples.js';
import { counterparts } from '../../checks/operators/onnxruntime.js';
import { blocksOf, pages as written, root, textOf } from '../support/pages.js';

const pages = [...written, ...markdownIn('docs/operators')].map((name) => join(root, name));

test('links between pages lead to a file and to a heading of it', () => {
  const broken = pages.flatMap((page) =>
    [
      ...readFileSync(page, 'utf8')
        .replaceAll(/^```.*?^```/gms, '')
        .matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g),
    ]
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

test('the diagram of a graph is what the example prints', async () => {
  const { makeWeights, classify } = (await import(new URL('../../examples/image-classifier.mjs', import.meta.url).href)) as {
    makeWeights: (device: Device) => WeightTree;
    classify: (image: Value, weights: object) => Record<string, Value>;
  };
  await using device = await createDevice({ backend: 'reference' });
  const network = device.createGraph();
  const constants = Object.entries(named(makeWeights(device))).map(([name, tensor]) => [
    name,
    network.constant(tensor, { name }),
  ]);
  const image = network.input('image', { dataType: 'float32', sizes: [2, 3, 16, 16] });
  const outputs = classify(image, nested(Object.fromEntries(constants)));
  expect(picturesOf('docs/graphs.md')).toEqual([network.toMermaid(outputs)]);
});

const picturesOf = (page: string) => blocksOf(page).flatMap(({ language, code }) => (language === 'mermaid' ? [code] : []));

test('the README is short, and it and the index of docs/ lead to every page', () => {
  expect(textOf('README.md').split('\n').length).toBeLessThan(140);
  const guides = written.filter((page) => page.startsWith('docs/guides/'));
  expect(guides.length).toBeGreaterThanOrEqual(15);
  expect(guides.filter((page) => !textOf('README.md').includes(`](${page})`))).toEqual([]);
  const inDocs = written.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md').map((page) => page.slice(5));
  expect(inDocs.filter((page) => !textOf('docs/README.md').includes(`](${page})`))).toEqual([]);
});

test('the page of errors has every code', () => {
  const page = textOf('docs/guides/errors.md');
  const codes = textOf('lib/values/errors.ts').match(/(?<=\| ')ERR_\w+/g) ?? [];
  expect(codes.length).toBeGreaterThan(20);
  expect(codes.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});

test('a search in the index finds operators by their names in other libraries', () => {
  const rows = readFileSync(join(root, 'docs', 'operators', 'README.md'), 'utf8').match(/^\| \[\w+\]\(.*$/gm) ?? [];
  const found = (text: string) =>
    rows.filter((row) => row.toLowerCase().includes(text.toLowerCase())).map((row) => /\w+/.exec(row)?.[0]);
  const names = {
    'layer norm': ['meanVarianceNormalization1', 'meanVarianceNormalization2'],
    'RMS norm': ['meanVarianceNormalization2'],
    'batch norm': ['batchNormalization', 'batchNormalizationTraining'],
    matmul: ['gemm', 'matrixMultiplyInteger'],
    'np.matmul': ['gemm'],
    concat: ['join'],
    'torch.cat': ['join'],
    'np.where': ['elementWiseIf'],
    'tf.one_hot': ['oneHot'],
    Conv: ['convolution'],
    'transposed convolution': ['convolution'],
    embedding: ['gather'],
    transpose: ['elementWiseIdentity'],
    SiLU: ['activationSwish'],
    attention: ['multiheadAttention', 'multiheadAttention1'],
    'KV cache': ['multiheadAttention1'],
    Resize: ['resample1', 'resample2', 'resample3'],
    'np.cumsum': ['cumulativeSummation'],
    clamp: ['elementWiseClip'],
    'global pooling': ['reduce'],
  };
  for (const [name, operators] of Object.entries(names)) expect(found(name), name).toEqual(expect.arrayContaining(operators));
  // A search that matched half of all operators would help nobody.
  for (const name of ['layer norm', 'concat', 'KV cache', 'SiLU', 'np.where']) expect(found(name).length, name).toBeLessThan(5);
});

test('every operator has names from other libraries, or search words', () => {
  const without = readdirSync(join(root, 'docs', 'operators')).filter((file) => {
    const page = readFileSync(join(root, 'docs', 'operators', file), 'utf8');
    return file !== 'README.md' && !/^(Also known as|Search words): /m.test(page);
  });
  expect(without).toEqual([]);
});

test('each row of the page of differences is also on the pages of the operators that it names', () => {
  const page = (name: string) => readFileSync(join(root, 'docs', 'operators', `${name}.md`), 'utf8');
  const lines = new Set(
    readdirSync(join(root, 'docs', 'operators')).flatMap((file) => page(file.replace('.md', '')).split('\n')),
  );
  const [, ...sections] = readFileSync(join(root, 'docs', 'differences.md'), 'utf8').split(/^## /m);
  const ofOperators = sections.filter((section) => !/^(All tensors|Graphs)\n/.test(section));
  const listed = ofOperators.flatMap((section) => section.match(/^\| (?!---|what |operator |page ).*$/gm) ?? []);
  const rows = listed.map((row) => row.replaceAll('](#', '](../differences.md#'));
  const nowhere = rows.filter((row) => !lines.has(row) && !lines.has(row.replace(/^\| [^|]* \|/, '| an example of the page |')));
  expect(nowhere.map((row) => row.split(' | ')[0])).toEqual([
    '| `ScaleBias` of floats',
    '| quantized operators on other adapters',
  ]);
  expect(page('resample2')).toContain('| `resample1` to `resample3`, linear: the two elements');
  expect(page('meanVarianceNormalization1')).toContain('| meanVarianceNormalization, …1, …2 with mean and variance');
  expect(page('quantize')).toContain('[Quantization in blocks](../differences.md#quantization-in-blocks)');
  expect(page('padding')).not.toContain('| convolution');
});

test('npm has every script that a page or a workflow names, and none of them is a hook that npm runs by itself', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  const workflows = readdirSync(join(root, '.github', 'workflows')).map((name) => join(root, '.github', 'workflows', name));
  const texts = [...pages, join(root, 'CONTRIBUTING.md'), ...workflows].map((path) => readFileSync(path, 'utf8'));
  const named = new Set(
    texts.flatMap((text) => [...text.matchAll(/npm run (?:"--" )?([a-z][\w:]*)/g)].map(([, name = '']) => name)),
  );
  expect(named.size).toBeGreaterThan(10);
  expect([...named].filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  expect(
    Object.keys(scripts).filter((name) => Object.hasOwn(scripts, name.replace(/^(pre|post)/, '')) && /^(pre|post)/.test(name)),
  ).toEqual([]);
});

test('docs/checked.md gives the numbers of the tests', () => {
  const page = textOf('docs/checked.md');
  const operators = Object.keys(operatorTable).length;
  expect(page).toContain(`All ${operators} operators`);
  expect(page).toContain(`${operators * 5} dispatches in every run`);
  expect(page).toContain(`${(operators * 120).toLocaleString('en')} in all, seed 1 `);
  expect(page).toContain(`| ${workedExamples.length} | \`npm run conformance -- --examples\``);
  expect(page).toContain(`of each of ${Object.keys(counterparts).length} operators that ONNX has too`);
  const stored = readdirSync(join(root, 'checks', 'verdicts', 'stored')).map((name) => textOf(`checks/verdicts/stored/${name}`));
  const verdicts = stored.join('').split('\n').length - 1;
  expect(page).toContain(`about ${(Math.round(verdicts / 100) * 100).toLocaleString('en')} stored descriptors`);
});

test('the figures of the README are those of the pages to which it leads', () => {
  const [, first = '', second = '', third = ''] =
    /^\| (\d+ of \d+) \| ([\d,]+) \| ([\d.]+) × \|$/m.exec(textOf('README.md')) ?? [];
  const operators = Object.keys(operatorTable).length;
  expect(first).toBe(`${operators} of ${operators}`);
  expect(textOf('docs/checked.md')).toContain(`120 cases of each operator, ${second} in all`);
  const [, measured] =
    /^\| ScatterND, 1k floats: 1,000 dispatches replayed by both \|.*?\| ([\d.]+) \|/m.exec(textOf('docs/measured.md')) ?? [];
  expect(third).toBe(Number(measured).toFixed(2));
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
