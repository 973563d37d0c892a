/** The code that the test tools share: options, the reduction of failing graphs, and known failures of the web platform tests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LooseGraph } from '../../checks/graphs/loose-graph.js';
import { smallerGraphs } from '../../checks/graphs/smaller-graphs.js';
import { shrunk } from '../../checks/harness/shrink.js';
import { Given, helpOf, type Mode, type Tool } from '../../checks/harness/tool.js';
import { vocabulary } from '../../checks/harness/vocabulary.js';
import type { LooseDescriptor, LooseTensor } from '../../checks/descriptors/candidate.js';
import { judge } from '../../checks/wpt/exceptions.js';
import type { FileResult } from '../../checks/wpt/result.js';

describe('an option of a tool', () => {
  const mode: Mode = {
    summary: 'Tries names.',
    names: ['gather', 'gemm'],
    options: { seed: '', cases: 'how many tries' },
    run: () => Promise.resolve(0),
  };
  const other: Mode = { option: 'graphs', summary: 'Tries graphs.', options: { from: '' }, run: () => Promise.resolve(0) };
  const tool: Tool = { name: 'try', modes: [mode, other] };

  test('has the number that is given, or else its default', () => {
    const given = new Given(tool, mode, ['gemm', '--cases', '7']);
    expect([given.names, given.numberOf('cases', 5), given.numberOf('seed', 3)]).toEqual([['gemm'], 7, 3]);
    expect(new Given(tool, mode, []).names).toEqual(['gather', 'gemm']);
  });

  test.each([
    [['--caes', '5'], "try: there is no option --caes (did you mean '--cases'?)"],
    [['--count', '5'], "try: there is no option --count (did you mean '--cases'?)"],
    [['--grahps'], "try: there is no option --grahps (did you mean '--graphs'?)"],
    [['--what'], 'try: there is no option --what; npm run try -- --help shows what there is'],
    [['--seed'], 'try: --seed needs a value: N; npm run try -- --help shows what there is'],
    [['gathr'], "try: there is no 'gathr' (did you mean 'gather'?)"],
  ])('that is wrong is reported in one line: %j', (args, message) => {
    expect(() => new Given(tool, mode, args)).toThrow(message);
  });

  test('of another mode is refused', () => {
    expect(() => new Given(tool, other, ['--cases', '5'])).toThrow('try --graphs: there is no option --cases');
    expect(() => new Given(tool, other, ['--graphs', 'gemm'])).toThrow("try --graphs: it takes no argument 'gemm'");
  });

  test('that is not a number is refused when it is read', () => {
    const given = new Given(tool, mode, ['--cases', 'many']);
    expect(() => given.numberOf('cases', 1)).toThrow("try: --cases is a whole number of at least 0, not 'many'");
  });

  test('with a case that does not parse is reported in one line', () => {
    const given = new Given(tool, { ...mode, options: { case: '' } }, ['--case', '{"a":']);
    expect(() => given.caseOf((json): unknown => JSON.parse(json))).toThrow(/^try: --case: /);
  });

  test('is explained by --help, with its meaning in that mode', () => {
    expect(helpOf(tool)).toMatch(/npm run try -- \[name \.\.\.\]\n {2}Tries names\.\n.*\n {2}--cases N +how many tries\n/);
  });

  test('has a row in docs/contributing.md', () => {
    const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'contributing.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `--([a-z]+)/gm)].map(([, word]) => word);
    expect(rows.sort()).toEqual(Object.keys(vocabulary).sort());
  });
});

test('shrinking reduces a failing graph of thirty nodes to the two nodes that it needs to fail', async () => {
  const outputTensor: LooseTensor = { dataType: 'float32', sizes: [1] };
  const node = (i: number): LooseDescriptor => {
    const before = `node${i - 1}.outputTensor`;
    if (i === 11) return { type: 'join', inputTensors: [before, 'x'], outputTensor };
    return { type: i === 20 ? 'gemm' : 'elementWiseAdd', aTensor: before, bTensor: 'x', outputTensor };
  };
  const nodes = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`node${i}`, node(i)]));
  const outputs = { a: 'node29.outputTensor', b: { value: 'node5.outputTensor' } };
  const graph: LooseGraph = { inputs: { x: outputTensor }, constants: {}, nodes, outputs };
  const typesOf = (one: LooseGraph) => Object.values(one.nodes).map(({ type }) => type);
  const small = await shrunk(graph, smallerGraphs, (some) =>
    Promise.resolve(some.find((one) => typesOf(one).includes('join') && typesOf(one).includes('gemm'))),
  );
  expect(small.nodes).toEqual({
    node11: { type: 'join', inputTensors: ['node10_outputTensor', 'x'], outputTensor },
    node20: { type: 'gemm', aTensor: 'node11.outputTensor', bTensor: 'x', outputTensor },
  });
  expect(Object.keys(small.inputs)).toEqual(['x', 'node10_outputTensor']);
});

describe('a known failure of the web platform tests', () => {
  const result = (file: string, ...subtests: [name: string, status: string][]): FileResult => ({
    file,
    variant: '?gpu',
    harness: 'OK',
    message: null,
    subtests: subtests.map(([name, status]) => ({ name, status, message: null })),
    left: [],
    milliseconds: 1,
    output: '',
  });
  const clamp = '[clamp] Throw if options.minValue is -Infinity';

  test('is not counted as unexpected, unlike any other failure', () => {
    const results = [result('webnn/validation_tests/clamp.https.any.js', [clamp, 'FAIL'], ['[clamp] other', 'FAIL'])];
    expect(judge(results, 'directml')).toEqual({ unexpected: 1, known: 1, passing: [] });
  });

  test('is reported when it passes', () => {
    const results = [result('webnn/validation_tests/clamp.https.any.js', [clamp, 'PASS'])];
    expect(judge(results, 'directml').passing).toEqual([`webnn/validation_tests/clamp.https.any.js: ${clamp}`]);
  });

  test('of the reference only is unexpected on DirectML', () => {
    const name = 'subgraph: batchNormalization options.axis=0 + gelu';
    const results = [result('webnn/conformance_tests/subgraph.https.any.js', [name, 'FAIL'])];
    expect([judge(results, 'reference').known, judge(results, 'directml').unexpected]).toEqual([1, 1]);
  });

  test('is not reported while some of its subtests still fail', () => {
    const exported = (method: string): [string, string] => [`MLContext interface: operation ${method}`, 'FAIL'];
    const results = [result('webnn/idlharness.https.any.js', exported('createExportableTensor'), ['exportToGPU', 'PASS'])];
    expect(judge(results, 'directml')).toEqual({ unexpected: 0, known: 1, passing: [] });
  });
});
