/** The arrays of a model's inputs and outputs: random ones, and files of them. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  firstElements,
  inputsOf,
  isArrayType,
  outputOf,
  randomArray,
  saveTensors,
  type ModelArray,
} from '#lib/cli/run/model-arrays.js';
import { refusalOf } from '../support/refusals.js';

const bytes: ModelArray = { type: 'uint8', dims: [2], data: Uint8Array.of(1, 2) };

describe('random arrays', () => {
  /** Draws these numbers again and again. */
  const draw = (...numbers: number[]) => {
    let i = 0;
    return () => numbers[i++ % numbers.length] ?? NaN;
  };

  it.each([
    ['float32', Float32Array.of(-1, 0, 0.5)],
    ['float64', Float64Array.of(-1, 0, 0.5)],
    ['float16', Uint16Array.of(0xbc00, 0, 0x3800)],
    ['bool', Uint8Array.of(1, 0, 0)],
    ['int8', Int8Array.of(1, 0, 0)],
    ['int64', BigInt64Array.of(1n, 0n, 0n)],
    ['uint64', BigUint64Array.of(1n, 0n, 0n)],
  ] as const)('of %s', (type, data) => {
    expect(randomArray(type, [3, 1], draw(0, 0.5, 0.75))).toEqual({ type, dims: [3, 1], data });
  });
});

it('knows the data types of NumPy', () => {
  expect(['float16', 'bool', 'uint64'].map(isArrayType)).toEqual([true, true, true]);
  expect(['bfloat16', 'string', 'toString', 'undefined'].map(isArrayType)).toEqual([false, false, false, false]);
});

it('shows the first elements, of float16 as numbers', () => {
  expect(firstElements(bytes, 1)).toEqual([1]);
  expect(firstElements({ type: 'float16', dims: [2], data: Uint16Array.of(0x3c00, 0xc000) }, 8)).toEqual([1, -2]);
  expect(firstElements({ type: 'uint16', dims: [2], data: Uint16Array.of(0x3c00, 5) }, 2)).toEqual([0x3c00, 5]);
  expect(firstElements({ type: 'int64', dims: [3], data: BigInt64Array.of(1n, -2n, 3n) }, 2)).toEqual([1n, -2n]);
});

it('gives models the bytes of a view, and bools as uint8', () => {
  const view = { type: 'bool', dims: [2], data: new Uint8Array(Uint8Array.of(9, 1, 0, 9).buffer, 1, 2) } as const;
  expect([...inputsOf(new Map([['x', view]]))]).toEqual([['x', { dataType: 'uint8', sizes: [2], bytes: Uint8Array.of(1, 0) }]]);
});

describe('an output is refused', () => {
  const computed = { tensor: null, bytes: new Uint8Array(2), isBool: false, dims: [1] };

  it.each([
    [null, 'ERR_DATA_TYPE run: y: expected an output that is a tensor, given none'],
    [[], 'ERR_DATA_TYPE run: y: expected an output that is a tensor, given a sequence'],
    [{ ...computed, dataType: 'bfloat16' }, 'ERR_DATA_TYPE run: y: expected a data type that NumPy has, given bfloat16'],
  ])('case %#', async (result, refusal) => {
    expect(await refusalOf(() => outputOf('y', result as Parameters<typeof outputOf>[1]))).toBe(refusal);
  });
});

describe('saved outputs', () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'node-directml-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('have names of files that differ, whatever the letters', async () => {
    const names = ['a/b', 'a_b', 'A_B', 'a_b-2', 'con', 'COM1', 'lpt9.x', 'console', 'nul', 'y.0-z', 'ä'];
    const to = join(folder, 'new', 'folder');
    const paths = await saveTensors(to, Object.fromEntries(names.map((name) => [name, bytes])));
    const files = ['a_b', 'a_b-2', 'A_B-3', 'a_b-2-2', '_con', '_COM1', '_lpt9.x', 'console', '_nul', 'y.0-z', '_'];
    expect(paths).toEqual(files.map((file) => join(to, `${file}.npy`)));
    expect(readdirSync(to).toSorted()).toEqual(files.map((file) => `${file}.npy`).toSorted());
  });

  it('are files of NumPy with their data types', async () => {
    const arrays: Record<string, ModelArray> = {
      half: { type: 'float16', dims: [1, 2], data: Uint16Array.of(0x3c00, 0xc000) },
      flags: { type: 'bool', dims: [], data: Uint8Array.of(1) },
      long: { type: 'int64', dims: [1], data: BigInt64Array.of(-1n) },
    };
    const files = (await saveTensors(folder, arrays)).map((path) => readFileSync(path));
    const headOf = (descr: string, shape: string) => `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape}), }`;
    const heads = [headOf('<f2', '1, 2'), headOf('|b1', ''), headOf('<i8', '1,')];
    const ends = [[0, 0x3c, 0, 0xc0], [1], new Array<number>(8).fill(255)];
    for (const [i, file] of files.entries()) {
      expect(file.toString('latin1')).toContain(heads[i]);
      expect([...file.subarray(file.lastIndexOf('\n') + 1)]).toEqual(ends[i]);
    }
  });

  it('that are views have only their own bytes', async () => {
    const data = new Uint8Array(Uint8Array.of(9, 1, 2, 9).buffer, 1, 2);
    const [path = ''] = await saveTensors(folder, { y: { type: 'uint8', dims: [2], data } });
    expect([...readFileSync(path).subarray(-3)]).toEqual([10, 1, 2]);
  });

  it('say which folder or file cannot be written', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(await refusalOf(() => saveTensors(file, { y: bytes }))).toMatch(
      `ERR_INVALID_FILE run: ${file}: expected a folder that can be written, given EEXIST`,
    );
    mkdirSync(join(folder, 'y.npy'));
    expect(await refusalOf(() => saveTensors(folder, { y: bytes }))).toMatch(
      `ERR_INVALID_FILE run: ${join(folder, 'y.npy')}: expected a file that can be written, given EISDIR`,
    );
  });
});
