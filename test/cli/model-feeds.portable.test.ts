/** The inputs of a model for `node-directml run`: from files, and made-up ones. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevice } from 'node-directml';
import { saveNpy } from 'node-directml/files';
import { readArguments } from '#lib/cli/command.js';
import { run } from '#lib/cli/commands/run.js';
import { makeFeeds } from '#lib/cli/run/model-feeds.js';
import { refusalOf } from '../support/refusals.js';

let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'node-directml-'));
  using device = await createDevice({ backend: 'reference' });
  await saveNpy(at('x.npy'), device.createTensor({ dataType: 'float32', sizes: [3, 2] }, [1, 2, 3, 4, 5, 6]));
  await saveNpy(at('y=.npy'), device.createTensor({ dataType: 'float32', sizes: [4, 1] }, [1, 2, 3, 4]));
  await saveNpy(at('bool.npy'), device.createTensor({ dataType: 'uint8', sizes: [2] }, [0, 1]));
  // An array of Fortran's order, one whose data is too short, and one that is too long.
  const header = (order: string) => {
    const text = `{'descr': '<f4', 'fortran_order': ${order}, 'shape': (2,), }`.padEnd(117) + '\n';
    return Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), Buffer.from([118, 0]), Buffer.from(text)]);
  };
  writeFileSync(at('fortran.npy'), Buffer.concat([header('True'), Buffer.alloc(8)]));
  writeFileSync(at('short.npy'), Buffer.concat([header('False'), Buffer.alloc(4)]));
  writeFileSync(at('long.npy'), Buffer.concat([header('False'), Buffer.alloc(12)]));
});
afterAll(() => rmSync(folder, { recursive: true }));

type Values = Parameters<typeof makeFeeds>[0];
const x = { name: 'x', type: 'float32', dims: ['rows', null] };
const feedsOf = (values: Values, ...args: string[]) => makeFeeds(values, readArguments(run, args));
/** The type, dimensions, elements and file of each input. */
async function madeOf(values: Values, ...args: string[]) {
  const { feeds, ...rest } = await feedsOf(values, ...args);
  const made = Array.from(feeds, ([name, { type, dims, data, file }]) => [
    name,
    type,
    dims,
    Array.from<number | bigint>(data),
    file,
  ]);
  return { made, ...rest };
}

describe('made-up numbers', () => {
  it('are from -1 to 1, the same for each seed', async () => {
    const numbers = async (...args: string[]) => {
      const { made } = await madeOf([{ name: 'a', type: 'float64', dims: [4] }], ...args);
      return (made[0]?.[3] as number[]).map((number) => number.toFixed(6));
    };
    const first = ['0.254148', '-0.994529', '0.054894', '0.962102'];
    expect(await numbers()).toEqual(first);
    expect(await numbers('--seed', '1')).toEqual(first);
    expect(await numbers('--seed', '0')).toEqual(['-0.467142', '-0.999341', '-0.553456', '-0.707596']);
    expect(await numbers('--seed', '2')).toEqual(['0.468502', '-0.350003', '-0.429408', '0.075910']);
  });

  it('continue from one input to the next', async () => {
    const { made } = await madeOf([
      { name: 'a', type: 'float64', dims: [2] },
      { name: 'b', type: 'float64', dims: [2] },
    ]);
    expect((made[1]?.[3] as number[]).map((number) => number.toFixed(6))).toEqual(['0.054894', '0.962102']);
  });

  it.each([
    ['bool', [0, 1, 0, 0]],
    ['uint8', [0, 1, 0, 0]],
    ['int16', [0, 1, 0, 0]],
    ['int64', [0n, 1n, 0n, 0n]],
    ['uint64', [0n, 1n, 0n, 0n]],
  ])('of %s are 0 or 1', async (type, elements) => {
    const { made } = await madeOf([{ name: 'a', type, dims: [4] }]);
    expect(made).toEqual([['a', type, [4], elements, null]]);
  });

  it('of float16 are bits', async () => {
    const { made } = await madeOf([{ name: 'a', type: 'float16', dims: [2] }]);
    expect(made).toEqual([['a', 'float16', [2], [0x3411, 0xbbf5], null]]);
  });

  it('of no dimensions are one', async () => {
    const { made } = await madeOf([{ name: 'a', type: 'int8', dims: [] }]);
    expect(made).toEqual([['a', 'int8', [], [0], null]]);
  });
});

describe('sizes', () => {
  it('are those of --size, and 1 if none was given', async () => {
    const values = [x, { name: 'y', type: 'int8', dims: ['rows', 'columns', 2] }, { name: 'z', type: 'int8', dims: ['columns'] }];
    const { made, sizes, assumed } = await madeOf(values, '--size', 'rows=2');
    expect(made.map(([name, , dims]) => [name, dims])).toEqual([
      ['x', [2, 1]],
      ['y', [2, 1, 2]],
      ['z', [1]],
    ]);
    expect({ sizes, assumed }).toEqual({ sizes: { rows: 2, 'x[1]': 1, columns: 1 }, assumed: ['x[1]', 'columns'] });
  });

  it('are those of files', async () => {
    const values = [{ name: 'y', type: 'float32', dims: ['rows'] }, x];
    const { made, sizes, assumed } = await madeOf(values, '--input', `x=${at('x.npy')}`);
    expect(made.map(([name, , dims, , file]) => [name, dims, file])).toEqual([
      ['y', [3], null],
      ['x', [3, 2], at('x.npy')],
    ]);
    expect({ sizes, assumed }).toEqual({ sizes: { rows: 3, 'x[1]': 2 }, assumed: [] });
  });

  it('may be given beside a file that agrees', async () => {
    const { sizes } = await madeOf([x], '--input', `x=${at('x.npy')}`, '--size', 'rows=3', '--size', 'x[1]=2');
    expect(sizes).toEqual({ rows: 3, 'x[1]': 2 });
  });

  it('of a file with other dimensions, or of fixed ones, are left to the model', async () => {
    const { made, sizes } = await madeOf([{ ...x, dims: ['rows'] }], '--input', `x=${at('x.npy')}`);
    expect([made[0]?.[2], sizes]).toEqual([[3, 2], { rows: 1 }]);
    expect((await madeOf([{ ...x, dims: [7, 2] }], '--input', `x=${at('x.npy')}`)).sizes).toEqual({});
    expect((await madeOf([{ ...x, dims: undefined }], '--input', `x=${at('x.npy')}`)).made[0]?.[2]).toEqual([3, 2]);
  });
});

it('reads files by their name, which may have an equals sign, and bools from bytes', async () => {
  const flags = { name: 'f', type: 'bool', dims: [2] };
  const { made } = await madeOf([x, flags], '--input', `x=${at('y=.npy')}`, '--input', `f=${at('bool.npy')}`);
  expect(made).toEqual([
    ['x', 'float32', [4, 1], [1, 2, 3, 4], at('y=.npy')],
    ['f', 'bool', [2], [0, 1], at('bool.npy')],
  ]);
});

describe('wrong options', () => {
  const fixed = { name: 'v', type: 'uint8', dims: [2] };

  it.each<[Values, string[], string]>([
    [[x], ['--input', 'x'], "--input needs a name and a value, such as x=x.npy, not 'x'"],
    [[x], ['--input', '=x.npy'], "--input needs a name and a value, such as x=x.npy, not '=x.npy'"],
    [[x], ['--input', 'x='], "--input needs a name and a value, such as x=x.npy, not 'x='"],
    [[x], ['--size', '=4'], "--size needs a name and a value, such as batch=4, not '=4'"],
    [[x], ['--size', 'rows=0'], "--size rows is a whole number of at least 1, not '0'"],
    [[x], ['--size', 'rows=-1'], "--size rows is a whole number of at least 1, not '-1'"],
    [[x], ['--size', 'rows=1.5'], "--size rows is a whole number of at least 1, not '1.5'"],
    [[x], ['--size', 'rows=1e3'], "--size rows is a whole number of at least 1, not '1e3'"],
    [[x], ['--size', 'rows=9007199254740992'], "--size rows is a whole number of at least 1, not '9007199254740992'"],
    [[x, fixed], ['--input', 'z=z.npy'], "the model has no input 'z' (there are: x, v)"],
    [[{ ...fixed, name: 'pixels' }], ['--input', 'pixel=z.npy'], "the model has no input 'pixel' (did you mean 'pixels'?)"],
    [[], ['--input', 'z=z.npy'], "the model has no input 'z' (there are none)"],
    [[x, { ...x, name: 'y' }], ['--size', 'z=1'], "the model has no dynamic dimension 'z' (there are: rows, x[1], y[1])"],
    [[fixed], ['--size', 'z=1'], "the model has no dynamic dimension 'z' (there are none)"],
    [[{ ...fixed, dims: [2 ** 28 + 1] }], [], "input 'v' would have 268435457 elements"],
    [[{ ...fixed, dims: [2, 0] }], [], "input 'v' has no elements: give it with --input"],
    [[{ ...fixed, dims: undefined }], [], "input 'v' has unknown dimensions: give it with --input"],
    [[{ ...fixed, type: undefined }], [], "input 'v' is a sequence or map, which .npy files do not have"],
    [[{ ...fixed, type: 'bfloat16' }], [], "input 'v' is bfloat16, which .npy files do not have"],
    [[x], ['--seed', '-1'], "--seed is a whole number of at least 0, not '-1'"],
  ])('%j %j', async (values, args, message) => {
    await expect(feedsOf(values, ...args)).rejects.toThrow(new Error(message));
  });

  it('are sizes that contradict a file', async () => {
    await expect(feedsOf([x], '--input', `x=${at('x.npy')}`, '--size', 'x[1]=3')).rejects.toThrow(
      new Error(`'x[1]' is 2 in ${at('x.npy')}, and 3 in another input or in --size`),
    );
    const two = [x, { ...x, name: 'y' }];
    await expect(feedsOf(two, '--input', `x=${at('x.npy')}`, '--input', `y=${at('y=.npy')}`)).rejects.toThrow(
      new Error(`'rows' is 4 in ${at('y=.npy')}, and 3 in another input or in --size`),
    );
  });
});

it.each([
  ['bool', 'x', 'expected an array of bool, given one of float32'],
  ['uint8', 'x', 'expected an array of uint8, given one of float32'],
  ['float32', 'bool', 'expected an array of float32, given one of uint8'],
  ['float32', 'fortran', 'expected an array in C order, given Fortran order (numpy.ascontiguousarray makes one)'],
  ['float32', 'short', 'expected 136 bytes for its shape, given 132'],
  ['float32', 'long', 'expected 136 bytes for its shape, given 140'],
])('refuses as %s the file %s.npy', async (type, file, message) => {
  const refusal = await refusalOf(() => feedsOf([{ name: 'x', type, dims: [2] }], '--input', `x=${at(`${file}.npy`)}`));
  expect(refusal).toBe(`ERR_INVALID_FILE run: ${at(`${file}.npy`)}: ${message}`);
});
