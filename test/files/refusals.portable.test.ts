/** Whole messages about wrong files and arguments. */
import { dirname, join, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadNpy, loadSafetensors, saveNpy, saveSafetensors } from 'node-directml/files';
import { deviceOn } from '../support/devices.js';
import { refusalOf, type Loose } from '../support/refusals.js';
import { folderOfFiles, npy, npyHeaderOf as headerOf, safetensors } from './files.js';

const files = { loadNpy, loadSafetensors, saveNpy, saveSafetensors } as unknown as Loose<{
  loadNpy: typeof loadNpy;
  loadSafetensors: typeof loadSafetensors;
  saveNpy: typeof saveNpy;
  saveSafetensors: typeof saveSafetensors;
}>;
const device = deviceOn('reference');
const write = folderOfFiles();
const invalid = 'ERR_INVALID_FILE';
const wrong = 'ERR_INVALID_ARGUMENT';

/** The refusal, with the path of a file without its folder. */
async function refusal(program: () => unknown, path = ''): Promise<string> {
  return (await refusalOf(program)).replaceAll(path === '' ? '\0' : `${dirname(path)}${sep}`, '');
}

const bytes = (count: number) => Uint8Array.from({ length: count }, (_, i) => i + 1);

describe('loadNpy', () => {
  const load = (content: Uint8Array) => {
    const path = write('a.npy', content);
    return refusal(() => loadNpy(device(), path), path);
  };
  const one = headerOf('|u1', '(1,)');
  const long = Uint8Array.from(npy(one, bytes(1))).with(9, 1);
  const size = long.length - 10;

  test.each<[string, Uint8Array, string]>([
    ['11 bytes', bytes(11), 'expected at least 12 bytes, given 11'],
    ['12 bytes', bytes(12), 'expected \\x93NUMPY at the beginning, given other bytes'],
    ['version 4', npy(one, bytes(1), [4, 0]), 'expected version 1.0, 2.0 or 3.0, given 4.0'],
    ['version 1.1', npy(one, bytes(1), [1, 1]), 'expected version 1.0, 2.0 or 3.0, given 1.1'],
    ['a header beyond the file', long, `expected a header of at most ${size} bytes, given ${(long[8] ?? 0) + 256}`],
    ['a long header', npy(' '.repeat(65_536), bytes(1), [2, 0]), 'expected a header of at most 65535 bytes, given 65536'],
    [
      'another data type',
      npy(headerOf('>i4', '(1,)'), bytes(4)),
      "descr: expected one of <f8, <f4, <f2, <i8, <i4, <i2, |i1, <u8, <u4, <u2, |u1, |b1, given '>i4'",
    ],
    [
      'an empty dictionary',
      npy('{}', bytes(4)),
      "header: expected a dictionary with a text as descr, fortran_order, and a tuple of whole numbers as shape, given '{}'",
    ],
  ])('%s', async (_, content, message) => expect(await load(content)).toBe(`${invalid} loadNpy: a.npy: ${message}`));

  test.each([
    ['<f4', '(2, 3)', 'float32 and shape [2, 3]', 24],
    ['|u1', '()', 'uint8 and shape []', 1],
    ['<i2', '(2,)', 'int16 and shape [2]', 4],
  ])('other bytes than %s and the shape %s have', async (descr, shape, what, expected) => {
    for (const count of [expected - 1, expected + 1]) {
      const content = npy(headerOf(descr, shape), bytes(count));
      const start = content.length - count;
      expect(await load(content)).toBe(
        `${invalid} loadNpy: a.npy: expected ${start + expected} bytes for ${what}, given ${content.length}`,
      );
    }
  });

  test('a header of 65,535 bytes is read', async () => {
    const path = write('long.npy', npy(one.padEnd(65_535), bytes(1), [2, 0]));
    expect((await loadNpy(device(), path)).sizes).toEqual([1]);
  });

  test.each<[readonly unknown[], string]>([
    [[{}, 'x'], 'device: expected a device, given an object'],
    [[3], 'path: expected a path, given 3'],
    [[''], "path: expected a path, given ''"],
    [['x', 3], 'options: expected an object, given 3'],
    [['x', { names: [] }], "options.names: expected one of onProgress, signal, given 'names'"],
    [['x', { onProgress: 1 }], 'options.onProgress: expected a function, given 1'],
    [['x', { signal: 1 }], 'options.signal: expected an AbortSignal, given 1'],
  ])('%j', async (args, message) => {
    const whole = args[0] instanceof Object ? args : [device(), ...args];
    expect(await refusal(() => files.loadNpy(...whole))).toBe(`${wrong} loadNpy: ${message}`);
  });
});

describe('saving', () => {
  const tensors = () => ({
    four: device().createTensor({ dataType: 'uint4', sizes: [2, 3] }),
    gaps: device().createTensor({ dataType: 'uint8', sizes: [2, 2], strides: [4, 1] }),
    good: device().createTensor({ dataType: 'uint8', sizes: [2, 2] }, [1, 2, 3, 4]),
  });
  const layout = '(elementWiseIdentity copies a tensor into another layout)';

  test.each<[(given: ReturnType<typeof tensors>) => readonly unknown[], string]>([
    [({ good }) => ['', good], `${wrong} saveNpy: path: expected a path, given ''`],
    [() => ['x', 3], `${wrong} saveNpy: tensor: expected a tensor, given 3`],
    [({ four }) => ['x', four], 'ERR_DATA_TYPE saveNpy: tensor: expected a tensor of whole bytes, given one of uint4'],
    [
      ({ gaps }) => ['x', gaps],
      `ERR_STRIDES saveNpy: tensor: expected a packed tensor, or one in Fortran order, given [4, 1] ${layout}`,
    ],
    [
      ({ good }) => ['x', good, { metadata: {} }],
      `${wrong} saveNpy: options.metadata: expected one of onProgress, signal, given 'metadata'`,
    ],
  ])('an array, case %#', async (argsOf, message) => {
    expect(await refusal(() => files.saveNpy(...argsOf(tensors())))).toBe(message);
  });

  test.each<[(given: ReturnType<typeof tensors>) => readonly unknown[], string]>([
    [() => ['', {}], `${wrong} saveSafetensors: path: expected a path, given ''`],
    [() => ['x', null], `${wrong} saveSafetensors: tensors: expected an object, given null`],
    [() => ['x', { a: 3 }], `${wrong} saveSafetensors: tensors.a: expected a tensor, given 3`],
    [
      ({ good }) => ['x', { __metadata__: good }],
      `${wrong} saveSafetensors: tensors: expected other names, given '__metadata__'`,
    ],
    [({ good }) => ['x', { ['__proto__']: good }], `${wrong} saveSafetensors: tensors: expected other names, given '__proto__'`],
    [({ good }) => ['x', { '\ud800': good }], `${wrong} saveSafetensors: tensors: expected other names, given '\\ud800'`],
    [() => ['x', {}, { metadata: 3 }], `${wrong} saveSafetensors: options.metadata: expected an object, given 3`],
    [() => ['x', {}, { metadata: { a: 3 } }], `${wrong} saveSafetensors: options.metadata.a: expected a string, given 3`],
    [
      () => ['x', {}, { metadata: { ['__proto__']: 'a' } }],
      `${wrong} saveSafetensors: options.metadata: expected other names, given '__proto__'`,
    ],
    [
      () => ['x', {}, { names: [] }],
      `${wrong} saveSafetensors: options.names: expected one of metadata, onProgress, signal, given 'names'`,
    ],
    [
      ({ four }) => ['x', { four }],
      'ERR_SIZES saveSafetensors: tensors.four: expected an even last size for uint4, two elements in a byte, given [2, 3]',
    ],
    [
      ({ gaps }) => ['x', { gaps }],
      `ERR_STRIDES saveSafetensors: tensors.gaps: expected a packed tensor, given [4, 1] ${layout}`,
    ],
  ])('tensors by name, case %#', async (argsOf, message) => {
    expect(await refusal(() => files.saveSafetensors(...argsOf(tensors())))).toBe(message);
  });

  test('into a folder, and into one that is missing', async () => {
    const path = write('a.npy', '');
    const { good } = tensors();
    expect(await refusal(() => saveNpy(dirname(path), good), dirname(path))).toMatch(
      /^ERR_INVALID_FILE saveNpy: .*: expected a file, given a folder$/,
    );
    expect(await refusal(() => saveNpy(join(dirname(path), 'no', 'x'), good), path)).toMatch(
      /^ERR_INVALID_FILE saveNpy: no[\\/]x: expected a file that can be written, given ENOENT: no such file or directory, /,
    );
  });
});

describe('loadSafetensors', () => {
  const tensor = (more: object = {}) => ({ dtype: 'U8', shape: [1], data_offsets: [0, 1], ...more });
  const second = tensor({ data_offsets: [1, 2] });
  const load = (content: Uint8Array, options?: object) => {
    const path = write('a.safetensors', content);
    return refusal(() => files.loadSafetensors(device(), path, options), path);
  };
  const whole = 'expected a whole number from 0 to 2^53 - 1, given';
  const pair = 'expected two numbers, the second not less than the first, given';

  test.each<[string, Uint8Array, string]>([
    ['7 bytes', bytes(7), 'expected at least 8 bytes, given 7'],
    ['8 bytes', new Uint8Array(8), 'expected a header that begins with {, given something else'],
    [
      'a header beyond the file',
      Uint8Array.from(safetensors('{}', new Uint8Array(0))).with(0, 200),
      'expected a header of at most 2 bytes, given 200',
    ],
    ['an array', safetensors('[]', new Uint8Array(0)), 'expected a header that begins with {, given something else'],
  ])('%s', async (_, content, message) =>
    expect(await load(content)).toBe(`${invalid} loadSafetensors: a.safetensors: ${message}`),
  );

  test.each<[string, object, number, string]>([
    [
      'metadata of numbers',
      { __metadata__: { a: 'text', b: 1 } },
      0,
      'expected an object of strings as __metadata__, given an object',
    ],
    ['metadata that is a number', { __metadata__: 3 }, 0, 'expected an object of strings as __metadata__, given 3'],
    ['a number', { x: 3 }, 0, "tensor 'x': expected { dtype, shape, data_offsets }, given 3"],
    ['no data type', { x: { shape: [1], data_offsets: [0, 1] } }, 1, "tensor 'x'.dtype: expected a string, given nothing"],
    ['a shape that is a number', { x: tensor({ shape: 3 }) }, 1, "tensor 'x'.shape: expected an array of whole numbers, given 3"],
    ['a negative size', { x: tensor({ shape: [1, -1] }) }, 1, `tensor 'x'.shape[1]: ${whole} -1`],
    ['a broken size', { x: tensor({ shape: [1.5] }) }, 1, `tensor 'x'.shape[0]: ${whole} 1.5`],
    ['a size of 2^53', { x: tensor({ shape: [2 ** 53] }) }, 1, `tensor 'x'.shape[0]: ${whole} 9007199254740992`],
    ['one offset', { x: tensor({ data_offsets: [0] }) }, 1, `tensor 'x'.data_offsets: ${pair} [0]`],
    ['three offsets', { x: tensor({ data_offsets: [0, 1, 2] }) }, 1, `tensor 'x'.data_offsets: ${pair} [0, 1, 2]`],
    ['offsets that are swapped', { x: tensor({ data_offsets: [1, 0] }) }, 1, `tensor 'x'.data_offsets: ${pair} [1, 0]`],
    [
      'too few bytes',
      { x: tensor({ shape: [2] }) },
      1,
      "tensor 'x'.data_offsets: expected 2 bytes for U8 and shape [2], given 1",
    ],
    [
      'odd bytes of BF16',
      { x: { dtype: 'BF16', shape: [2], data_offsets: [0, 3] } },
      3,
      "tensor 'x'.data_offsets: expected 4 bytes for BF16 and shape [2], given 3",
    ],
    [
      'an overlap',
      { y: second, x: tensor({ shape: [2], data_offsets: [0, 2] }) },
      2,
      "tensor 'y'.data_offsets: expected 2 as the first byte, given 1 (tensors must not overlap)",
    ],
    [
      'the same bytes twice',
      { x: tensor(), y: tensor() },
      1,
      "tensor 'y'.data_offsets: expected 1 as the first byte, given 0 (tensors must not overlap)",
    ],
    [
      'a gap',
      { y: tensor({ data_offsets: [2, 3] }), x: tensor() },
      3,
      "tensor 'y'.data_offsets: expected 1 as the first byte, given 2 (no byte may be unused)",
    ],
    [
      'a gap at the beginning',
      { y: second },
      2,
      "tensor 'y'.data_offsets: expected 0 as the first byte, given 1 (no byte may be unused)",
    ],
    [
      'bytes beyond the file',
      { x: tensor(), y: second },
      1,
      "tensor 'y'.data_offsets: expected at most 1, the bytes of data in the file, given 2",
    ],
    ['bytes after the tensors', { x: tensor() }, 2, 'expected 1 bytes of data, as its tensors have, given 2'],
    [
      'another data type',
      { x: tensor({ dtype: 'F8' }) },
      1,
      "tensor 'x'.dtype: expected one of F64, F32, F16, BF16, I64, I32, I16, I8, U64, U32, U16, U8, BOOL, given 'F8' (convert the tensor in the file, or leave it out by options.names)",
    ],
  ])('%s', async (_, header, count, message) => {
    expect(await load(safetensors(header, bytes(count)))).toBe(`${invalid} loadSafetensors: a.safetensors: ${message}`);
  });

  const two = safetensors({ x: tensor(), y: second }, bytes(2));
  const dataTypes = "options.dataType: expected 'float32' or 'float16', or an object of data types by name, given";

  test.each<[object, string]>([
    [{ names: ['z', 'x'] }, "options.names[0]: expected the name of a tensor in the files, given 'z'"],
    [{ names: () => 'same' }, "options.names('y'): expected another name for each tensor, given 'same'"],
    [{ dataType: 3 }, `${dataTypes} 3`],
    [{ dataType: null }, `${dataTypes} null`],
    [{ dataType: 'int8' }, `${dataTypes} 'int8'`],
    [{ dataType: { x: 'int8' } }, "options.dataType.x: expected 'float32' or 'float16', 'int4' or 'uint4', given 'int8'"],
    [{ dataType: { x: 'float32' } }, "options.dataType.x: expected 'int4' or 'uint4' for a tensor of uint8, given 'float32'"],
    [{ dataType: { z: 'int4' } }, "options.dataType: expected names of tensors that are loaded, given 'z'"],
    [{ dataType: { y: 'int4' }, names: ['x'] }, "options.dataType: expected names of tensors that are loaded, given 'y'"],
    [{ name: 3 }, "options.name: expected one of names, dataType, onProgress, signal, given 'name' (did you mean 'names'?)"],
  ])('%j', async (options, message) => expect(await load(two, options)).toBe(`${wrong} loadSafetensors: ${message}`));

  test('empty tensors lie anywhere between others, and undefined chooses no data type', async () => {
    const empty = tensor({ shape: [0], data_offsets: [1, 1] });
    const path = write('empty.safetensors', safetensors({ x: tensor(), e: empty, y: second }, bytes(2)));
    const loaded = await loadSafetensors(device(), path, { names: ['x', 'y'], dataType: { x: undefined } as never });
    expect([await loaded.x.toArray(), await loaded.y.toArray()]).toEqual([[1], [2]]);
  });

  test.each<[string, unknown, string]>([
    ['no weight_map', {}, 'm.JSON: expected a weight_map of file names by tensor, given nothing'],
    ['a number', { weight_map: 3 }, 'm.JSON: expected a weight_map of file names by tensor, given 3'],
    ['a number for a file', { weight_map: { x: 3 } }, "m.JSON: tensor 'x': expected the name of a file, given 3"],
    [
      'a file outside',
      { weight_map: { x: '../1.st' } },
      "m.JSON: tensor 'x': expected the path of a file within the folder of the index, given '../1.st'",
    ],
    [
      'a missing tensor',
      { weight_map: { x: '1.st', z: '1.st', y: '1.st' } },
      "1.st: tensor 'z': expected a tensor of this file, as the index says, given none",
    ],
    ['an array', [], 'm.JSON: expected a JSON object, given an array'],
  ])('an index with %s', async (_, index, message) => {
    write('1.st', two);
    const path = write('m.JSON', JSON.stringify(index));
    expect(await refusal(() => loadSafetensors(device(), path), path)).toBe(`${invalid} loadSafetensors: ${message}`);
  });

  test('a file twice', async () => {
    const path = write('1.st', two);
    const [first, again] = [path, path];
    expect(await refusal(() => loadSafetensors(device(), [first, again]), path)).toBe(
      `${invalid} loadSafetensors: 1.st: tensor 'x': expected a name in only one file, given also one in 1.st`,
    );
  });
});
