/** `node-directml run`: operators and graphs from files, on both backends. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { compareOutputs } from '#lib/cli/run/compare.js';
import type { Output } from '#lib/cli/run/execute.js';
import { tensorText } from '#lib/cli/run/print-tensor.js';
import { backends } from '../support/devices.js';
import { runCli, spawnCli } from '../../checks/harness/run-cli.js';

const folder = mkdtempSync(join(tmpdir(), 'node-directml-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

function fileWith(content: unknown): string {
  const path = join(folder, `${count++}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const run = (content: unknown, ...args: string[]) => runCli(['run', fileWith(content), ...args], { width: 200 });

const gemm = {
  descriptor: { type: 'gemm', transB: 'transpose' },
  tensors: {
    aTensor: { dataType: 'float32', sizes: [2, 2], data: [1, 2, 3, 4] },
    bTensor: { dataType: 'float32', sizes: [1, 2], data: [[10.5, 100]] },
  },
};

const graph = {
  graph: {
    inputs: { x: { dataType: 'float32', sizes: [3] } },
    constants: { one: { dataType: 'float32', sizes: [3] } },
    nodes: {
      double: { type: 'elementWiseAdd', aTensor: 'x', bTensor: 'x' },
      sum: { type: 'elementWiseAdd', aTensor: 'double.outputTensor', bTensor: 'one' },
    },
    outputs: { y: 'sum.outputTensor', z: 'double.outputTensor' },
  },
  tensors: { x: { data: [0, 1, 2] }, one: { data: 1 } },
};

const scatter = (indices: number[]) => ({
  descriptor: { type: 'scatterNd', inputDimensionCount: 1 },
  tensors: {
    inputTensor: { dataType: 'int64', sizes: [1, 4], data: ['1n', 2, '-3n', 4] },
    indicesTensor: { dataType: 'uint32', sizes: [2, 1], data: indices },
    updatesTensor: { dataType: 'int64', sizes: [1, 2], data: ['9007199254740993n', 0] },
  },
});

describe.each(backends)('on %s', (backend) => {
  const outputsOf = async (content: unknown, ...args: string[]) => {
    const { code, out, error } = await run(content, '--backend', backend, '--json', ...args);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    return JSON.parse(out).outputs;
  };

  it('runs an operator', async () => {
    expect(await outputsOf(gemm)).toEqual({ outputTensor: { dataType: 'float32', sizes: [2, 1], data: [210.5, 431.5] } });
    const { code, out } = await run(gemm, '--backend', backend);
    expect(code).toBe(0);
    expect(out).toMatch(/outputTensor float32 \[2, 1\]\n\[\[210\.5\],\n \[431\.5\]\]\n$/);
  });

  it('runs a graph', async () => {
    const outputs = await outputsOf(graph);
    expect(outputs).toMatchObject({ y: { data: [1, 3, 5] }, z: { sizes: [3], data: [0, 2, 4] } });
  });

  it('takes and gives 64-bit integers as strings', async () => {
    expect(await outputsOf(scatter([3, 0]))).toEqual({
      outputTensor: { dataType: 'int64', sizes: [1, 4], data: ['0n', '2n', '-3n', '9007199254740993n'] },
    });
  });

  it('takes float16, base64, numbers that JSON lacks, strides, and tensors described in the descriptor', async () => {
    const half = { dataType: 'float16', sizes: [2, 2], strides: [4, 1] };
    const outputs = await outputsOf({
      descriptor: { type: 'elementWiseIdentity', inputTensor: half, outputTensor: { strides: [1, 2] } },
      tensors: {
        inputTensor: { data: Buffer.from(Uint16Array.of(0x3c00, 0x7c00, 0, 0, 0x8000, 0xc100).buffer).toString('base64') },
      },
    });
    expect(outputs.outputTensor).toEqual({
      dataType: 'float16',
      sizes: [2, 2],
      strides: [1, 2],
      data: [1, '-0', 'Infinity', -2.5],
    });
  });

  it.each([
    ['uint16', [0x3c00, 0xffff], [0x3c00, 0xffff]],
    ['int16', [0x3c00, -1], [0x3c00, -1]],
    ['float16', [1, 2048], [1, 2048]],
    ['uint8', [0x21, 255], [0x21, 255]],
    ['int64', ['-9007199254740993n', 1], ['-9007199254740993n', '1n']],
  ])('elements of %s as numbers of their own data type', async (dataType, data, told) => {
    const file = { descriptor: { type: 'elementWiseIdentity' }, tensors: { inputTensor: { dataType, sizes: [2], data } } };
    expect((await outputsOf(file)).outputTensor.data).toEqual(told);
  });

  it('takes numbers that JSON lacks in a descriptor', async () => {
    const file = {
      descriptor: { type: 'elementWiseClip', min: '-Infinity', max: 2 },
      tensors: { inputTensor: { dataType: 'float32', sizes: [3], data: [-5, 1, 'Infinity'] } },
    };
    expect((await outputsOf(file)).outputTensor.data).toEqual([-5, 1, 2]);
  });

  it('takes lists of tensors, and 4-bit integers', async () => {
    const joined = await outputsOf({
      descriptor: { type: 'join', axis: 0 },
      tensors: { inputTensors: [1, 2, 3].map((data) => ({ dataType: 'uint8', sizes: [1], data })) },
    });
    expect(joined.outputTensor.data).toEqual([1, 2, 3]);
    const split = await outputsOf({
      descriptor: {
        type: 'split',
        axis: 0,
        outputTensors: [
          { dataType: 'int32', sizes: [1] },
          { dataType: 'int32', sizes: [2] },
        ],
      },
      tensors: { inputTensor: { dataType: 'int32', sizes: [3], data: [7, 8, 9] } },
    });
    expect(Object.keys(split)).toEqual(['outputTensors[0]', 'outputTensors[1]']);
    expect(split['outputTensors[1]'].data).toEqual([8, 9]);
    const scales = { dataType: 'float32', sizes: [2], data: 1 };
    const nibbles = await outputsOf({
      descriptor: { type: 'dequantize', quantizationType: 'scale', outputTensor: { dataType: 'float32', sizes: [2] } },
      tensors: { inputTensor: { dataType: 'int4', sizes: [2], data: [-8, 7] }, quantizationTensors: [scales] },
    });
    expect(nibbles.outputTensor.data).toEqual([-8, 7]);
    for (const [dataType, data] of [
      ['int4', [-8, 2, 7]],
      ['uint4', [0, 10, 15]],
    ]) {
      const made = await outputsOf({
        descriptor: { type: 'quantize', quantizationType: 'scale', outputTensor: { dataType, sizes: [3] } },
        tensors: {
          inputTensor: { dataType: 'float32', sizes: [3], data: [-20, 3, 40] },
          quantizationTensors: [{ dataType: 'float32', sizes: [3], data: 2 }],
        },
      });
      expect(made.outputTensor).toEqual({ dataType, sizes: [3], data });
    }
  });

  it('takes weights that DirectML owns', async () => {
    const file = {
      ...gemm,
      descriptor: { ...gemm.descriptor, bTensor: { dataType: 'float32', sizes: [1, 2], flags: 'ownedByDml' } },
    };
    expect((await outputsOf(file)).outputTensor.data).toEqual([210.5, 431.5]);
  });

  it('prints times', async () => {
    const { out } = await run(gemm, '--backend', backend, '--time');
    expect(out).toMatch(
      /compiled in [\d.]+ ms, first dispatch [\d.]+ ms, then [\d.]+ ms \(median of \d+; best [\d.]+ ms\); GPU: /,
    );
    expect(/GPU: (.*)$/m.exec(out)?.[1]).toMatch(backend === 'reference' ? /^none$/ : /^[\d.]+ ms$/);
    const times = JSON.parse((await run(graph, '--backend', backend, '--time', '--json')).out).milliseconds;
    expect(times.count).toBeGreaterThanOrEqual(3);
    expect(times.least).toBeLessThanOrEqual(times.median);
    if (backend === 'reference') expect(times.gpu).toBeNull();
    else expect(times.gpu).toBeGreaterThan(0);
  });

  it('prints errors of the library with their code', async () => {
    const wrong = { ...gemm, descriptor: { type: 'gemm', transB: 'transposed' } };
    const text = await run(wrong, '--backend', backend);
    expect(text).toMatchObject({
      code: 1,
      out: '',
      error: expect.stringMatching(/^ERR_\w+: gemm: transB: .*did you mean 'transpose'/),
    });
    const json = await run({ ...gemm, descriptor: { type: 'matmul' } }, '--backend', backend, '--json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out).error).toMatchObject({
      code: 'ERR_UNKNOWN_OPERATOR',
      message: expect.stringContaining("'gemm'"),
    });
  });

  it('refuses indices out of range if they are checked', async () => {
    const { code, error } = await run(scatter([4, 0]), '--backend', backend, '--check-indices');
    expect(code).toBe(1);
    expect(error).toMatch(/^ERR_INDEX_OUT_OF_RANGE/);
    expect((await outputsOf(scatter([3, 0]), '--check-indices')).outputTensor.data).toHaveLength(4);
    // Without the check, the update is lost.
    expect((await outputsOf(scatter([4, 0]))).outputTensor.data).toEqual(['0n', '2n', '-3n', '4n']);
  });
});

describe('--compare', () => {
  it('compares DirectML with the reference, or says that DirectML is missing', async () => {
    for (const file of [gemm, graph, scatter([3, 0])]) {
      const { code, out, error } = await run(file, '--compare', '--time');
      if (process.platform === 'win32') {
        expect(code).toBe(0);
        expect(out).toMatch(/^ok .*: (\d+) of \1 elements are equal to the reference's$/m);
        expect(out).toMatch(/^reference: compiled in/m);
      } else {
        expect(code).toBe(1);
        expect(error).toContain('ERR_ADDON_NOT_FOUND');
      }
    }
    const { code, out } = await run(scatter([3, 0]), '--compare', '--json');
    expect(code).toBe(process.platform === 'win32' ? 0 : 1);
    const found = JSON.parse(out);
    if (process.platform === 'win32') expect(found).toMatchObject({ equal: true, comparisons: [{ equal: 4, count: 4 }] });
  });

  const output = (dataType: Output['dataType'], elements: Output['elements']): Output => ({
    name: 'y',
    dataType,
    sizes: [elements.length],
    strides: null,
    elements,
  });

  it.each<[Output['dataType'], Output['elements'], Output['elements'], number | undefined, object]>([
    ['float32', [1, NaN, 0], [1, NaN, -0], undefined, { equal: 3, isNear: true, worst: null }],
    ['float32', [100, 1], [100, 1.005], undefined, { equal: 1, isNear: true, worst: { element: 1, expected: 1, given: 1.005 } }],
    ['float32', [100, 1], [100, 1.02], undefined, { equal: 1, isNear: false, worst: { element: 1, expected: 1, given: 1.02 } }],
    ['float32', [100, 1], [100, 1.02], 1e-3, { isNear: true }],
    ['float16', [100, 1], [100, 1.5], undefined, { isNear: true }],
    ['float32', [1, 2], [1, NaN], 1e9, { isNear: false, largest: Infinity }],
    ['float32', [1, Infinity], [1, 3e38], 1e9, { isNear: false }],
    ['float32', [1, 2], [1], undefined, { isNear: false }],
    ['float32', [1, 2], [1, 2, 3], undefined, { isNear: false, worst: null }],
    ['int32', [1000000, 1], [1000000, 2], 1, { isNear: false, equal: 1 }],
    ['int64', [5n, 6n], [5n, 7n], undefined, { isNear: false, largest: Infinity }],
    ['float32', [0, 0], [0, 1e-9], undefined, { isNear: true }],
  ])('case %#, %s', (dataType, expected, given, tolerance, found) => {
    expect(compareOutputs([output(dataType, expected)], [output(dataType, given)], tolerance)).toEqual([
      expect.objectContaining(found),
    ]);
  });
});

describe('printing', () => {
  const tensor = (sizes: number[], elements: number[], strides: number[] | null = null): Output => ({
    name: 'y',
    dataType: 'float32',
    sizes,
    strides,
    elements,
  });

  it('shows rows in columns, in the order of the sizes', () => {
    expect(tensorText(tensor([2, 2], [1, -20, 0.1, 3]))).toBe('[[  1, -20],\n [0.1,   3]]');
    expect(tensorText(tensor([2, 2], [1, 2, 3, 4], [1, 2]))).toBe('[[1, 3],\n [2, 4]]');
  });

  it.each([
    ['float16', 0.333251953125, '[0.3333]'],
    ['float32', Math.fround(1 / 3), '[0.3333333]'],
    ['float64', 1 / 3, '[0.3333333333333333]'],
  ] as const)('shows as many digits as %s has', (dataType, element, text) => {
    expect(tensorText({ ...tensor([1], [element]), dataType })).toBe(text);
  });

  it('shows the ends of a large tensor', () => {
    const large = tensor(
      [30, 30],
      Array.from({ length: 900 }, (_, i) => i),
    );
    const lines = tensorText(large).split('\n');
    expect(lines).toHaveLength(7);
    expect(lines[0]).toBe('[[  0,   1,   2, ...,  27,  28,  29],');
    expect(lines[3]).toBe(' ...,');
    expect(lines[6]).toBe(' [870, 871, 872, ..., 897, 898, 899]]');
  });
});

describe('wrong files and options', () => {
  const tensors = gemm.tensors;

  it.each<[unknown, RegExp]>([
    ['{', /\.json: .*JSON/],
    [[], /the file is not an object/],
    [{ tensors }, /needs a "descriptor" of an operator, or a "graph"/],
    [{ ...gemm, graph: graph.graph }, /needs a "descriptor" of an operator, or a "graph"/],
    [{ descriptr: {}, tensors }, /no property 'descriptr' \(did you mean 'descriptor'\?\)/],
    [{ descriptor: {}, tensors }, /needs a "type"/],
    [{ graph: {}, tensors }, /needs "nodes" and "outputs"/],
    [{ ...gemm, tensors: { aTensor: 1 } }, /tensors\.aTensor is not an object/],
    [{ ...gemm, tensors: { aTensor: { size: [1] } } }, /tensors\.aTensor has no property 'size' \(did you mean 'sizes'\?\)/],
    [{ ...gemm, tensors: { aTensor: { sizes: [1] } } }, /tensors\.aTensor has no "data"/],
    [{ ...graph, tensors: { x: { data: ['one'] } } }, /tensors\.x: data has an element that is no number: "one"/],
    [{ ...graph, tensors: { x: { data: {} } } }, /tensors\.x: data is an array of numbers/],
    [{ ...graph, tensors: { v: { data: 1 } } }, /tensors\.v is no input or constant of the graph/],
    [{ ...graph, tensors: { one: [] } }, /tensors\.one is a list/],
  ])('%j', async (content, message) => {
    const { code, out, error } = await run(content);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toMatch(message);
  });

  it.each([
    [{ ...graph, tensors: { ...graph.tensors, x: { data: [1] } } }, /^ERR_SIZES: tensors\.x: .*3 elements/],
    [{ ...graph, tensors: { one: { data: 1 } } }, /^ERR_MISSING_BINDING: .*x/],
    [{ ...gemm, tensors: { ...tensors, aTensor: { ...tensors.aTensor, dataType: 'float' } } }, /^ERR_DATA_TYPE: .*float/],
    [
      { descriptor: { ...gemm.descriptor, aTensor: { dataType: 'float32', sizes: [3, 2] } }, tensors },
      /^ERR_SIZES: gemm: aTensor/,
    ],
  ])('%j', async (content, message) => {
    const { code, error } = await run(content, '--backend', 'reference');
    expect(code).toBe(1);
    expect(error).toMatch(message);
  });

  it.each([
    [[], 'run needs a file'],
    [['missing.json'], 'ENOENT'],
    [['x', '--backend', 'cuda'], "--backend is directml or reference, not 'cuda'"],
    [['x', '--backend'], '--backend needs a value: NAME'],
    [['x', '--backend', '--time'], '--backend needs a value: NAME'],
    [['x', '--backend', 'reference', '--compare'], 'leave out --backend'],
    [['x', '--tolerance', '1'], '--tolerance needs --compare'],
    [['x', '--compare', '--tolerance', 'small'], "not 'small'"],
    [['x', 'y'], "run takes no argument 'y'"],
    [[fileWith(gemm), '--backend', 'directml', '--adapter', '99'], 'there is no adapter 99'],
  ])('%j', async (args, message) => {
    const { code, error } = await runCli(['run', ...args], { width: 200 });
    expect(code).toBe(2);
    expect(error).toContain(message);
  });
});

it('reads standard input as a process', async () => {
  const { code, out, error } = await spawnCli(['run', '-', '--backend', 'reference', '--json'], {}, JSON.stringify(gemm));
  expect({ code, error }).toEqual({ code: 0, error: '' });
  expect(JSON.parse(out).outputs.outputTensor.data).toEqual([210.5, 431.5]);
});

it('draws outputs', async () => {
  const { code, out } = await run(gemm, '--draw', '--backend', 'reference');
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringMatching(/outputTensor float32 \[2, 1\]\n {2}\n██\ndark 210\.5, bright 431\.5\n$/),
  });
});
