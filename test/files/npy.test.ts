/** NumPy's files: what is loaded and saved; on each backend. */
import { readdirSync, readFileSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadNpy, saveNpy, type FileProgress } from 'node-directml/files';
import { createDevice, type DataType } from 'node-directml';
import { Random } from '../../checks/harness/random.js';
import { backends, deviceOn } from '../support/devices.js';
import { gist, rejected } from '../support/errors.js';
import { untyped } from '../../checks/malformed/objects.js';
import { bytesOf, folderOfFiles, npy, npyHeaderOf as headerOf } from './files.js';

const descrs: readonly (readonly [descr: string, dataType: DataType, bytes: number])[] = [
  ['<f8', 'float64', 8],
  ['<f4', 'float32', 4],
  ['<f2', 'float16', 2],
  ['<i8', 'int64', 8],
  ['<i4', 'int32', 4],
  ['<i2', 'int16', 2],
  ['|i1', 'int8', 1],
  ['<u8', 'uint64', 8],
  ['<u4', 'uint32', 4],
  ['<u2', 'uint16', 2],
  ['|u1', 'uint8', 1],
];

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const write = folderOfFiles();
  const load = (bytes: Uint8Array) => loadNpy(device(), write('a.npy', bytes));

  test('loads and saves a file that is written by hand', async () => {
    // What NumPy writes for numpy.array([[1, 2]], dtype='<i2'): 10 bytes, a header of 118 = 0x76 bytes, and the elements.
    const text = "{'descr': '<i2', 'fortran_order': False, 'shape': (1, 2), }";
    const bytes = Buffer.concat([
      Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 0x01, 0x00, 0x76, 0x00]),
      Buffer.from(`${text}${' '.repeat(117 - text.length)}\n`),
      Buffer.from([0x01, 0x00, 0x02, 0x00]),
    ]);
    const tensor = await load(bytes);
    expect([tensor.dataType, tensor.sizes, tensor.strides]).toEqual(['int16', [1, 2], null]);
    expect(await tensor.toArray()).toEqual([[1, 2]]);
    const path = write('b.npy', '');
    await saveNpy(path, tensor);
    const saved = readFileSync(path);
    expect(saved.length % 64).toBe(4);
    expect(saved.subarray(10, 10 + text.length).toString()).toBe(text);
    // The format asks for spaces and a newline up to the data.
    expect(saved.subarray(10 + text.length, -4).toString()).toMatch(/^ *\n$/);
    expect(await (await loadNpy(device(), path)).toArray()).toEqual([[1, 2]]);
  });

  test.each([
    [5, 0x5a, '\\x93NUMPY at the beginning, given other bytes'],
    [6, 4, 'version 1.0, 2.0 or 3.0, given 4.0'],
    [7, 1, 'version 1.0, 2.0 or 3.0, given 1.1'],
  ] as const)('byte %i is not %i: %s', async (place, byte, message) => {
    const bytes = Uint8Array.from(npy(headerOf('|u1', '(1,)'), Uint8Array.of(9)));
    expect((await rejected(load(bytes.with(place, byte)))).message).toContain(message);
  });

  test.each(descrs)('loads and saves %s bit for bit', async (descr, dataType, size) => {
    const data = Random.of('npy', descr).bytes(6 * size);
    const tensor = await load(npy(headerOf(descr, '(2, 3)'), data));
    expect([tensor.dataType, tensor.sizes]).toEqual([dataType, [2, 3]]);
    const path = write('saved.npy', '');
    await saveNpy(path, tensor);
    expect(bytesOf(readFileSync(path).subarray(-6 * size))).toEqual(bytesOf(data));
    const again = await loadNpy(device(), path);
    expect([again.dataType, again.sizes]).toEqual([dataType, [2, 3]]);
    expect(new Uint8Array(await again.buffer.read(0, 6 * size))).toEqual(bytesOf(data));
  });

  test.each([
    [1, 0],
    [2, 0],
    [3, 0],
  ])('loads version %i.%i', async (...version) => {
    const tensor = await load(npy(headerOf('|b1', '(2,)'), Uint8Array.of(1, 0), version));
    expect([tensor.dataType, await tensor.toArray()]).toEqual(['uint8', [1, 0]]);
  });

  test('loads and saves Fortran order as strides', async () => {
    const tensor = await load(npy(headerOf('|u1', '(2, 3)', 'True'), Uint8Array.of(1, 4, 2, 5, 3, 6)));
    expect([tensor.sizes, tensor.strides, await tensor.toArray()]).toEqual([
      [2, 3],
      [1, 2],
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    ]);
    const path = write('fortran.npy', '');
    await saveNpy(path, tensor);
    expect(readFileSync(path).toString('latin1')).toContain("'fortran_order': True, 'shape': (2, 3)");
    expect(await (await loadNpy(device(), path)).toArray()).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    const row = await load(npy(headerOf('|u1', '(3,)', 'True'), Uint8Array.of(1, 2, 3)));
    expect(row.strides).toBe(null);
    tensor.dispose();
    await expect(tensor.read()).rejects.toThrow('disposed');
    const gaps = device().createTensor({ dataType: 'uint8', sizes: [2, 2], strides: [4, 1] });
    const four = device().createTensor({ dataType: 'int4', sizes: [2] });
    expect((await rejected(saveNpy(path, gaps))).code).toBe('ERR_STRIDES');
    expect((await rejected(saveNpy(path, four))).code).toBe('ERR_DATA_TYPE');
    expect((await rejected(saveNpy(path, untyped(3)))).code).toBe('ERR_INVALID_ARGUMENT');
  });

  test('says that the device is disposed of, before it looks for the file', async () => {
    const disposed = await createDevice({ backend });
    disposed.dispose();
    await expect(loadNpy(disposed, write('any.npy', ''))).rejects.toThrow('loadNpy: the device is disposed');
  });

  test('reports progress, and stops when the signal is aborted', async () => {
    const count = 2 ** 20 + 1;
    const part = 2 ** 22;
    const expected = [part, part + 4].map((loaded) => ({ loaded, total: part + 4 }));
    const tensor = device().createTensor({ dataType: 'float32', sizes: [count] }, new Float32Array(count).fill(3));
    const path = write('large.npy', '');
    const steps: FileProgress[] = [];
    const onProgress = (step: FileProgress) => steps.push(step);
    await saveNpy(path, tensor, { onProgress });
    const loaded = await loadNpy(device(), path, { onProgress });
    expect(steps).toEqual([...expected, ...expected]);
    expect(await loaded.read({ offset: count - 2 })).toEqual(Float32Array.of(3, 3));
    const files = readdirSync(dirname(path));
    const before = device().memory();
    for (const call of [
      (options: object) => loadNpy(device(), path, options),
      (options: object) => saveNpy(path, tensor, options),
      (options: object) => saveNpy(`${path}.new`, tensor, options),
    ]) {
      const controller = new AbortController();
      const reason = new Error('left');
      const aborted = await rejected(call({ signal: controller.signal, onProgress: () => controller.abort(reason) }));
      expect([aborted.code, aborted.name, aborted.cause]).toEqual(['ERR_ABORTED', 'AbortError', reason]);
      expect((await rejected(call({ signal: AbortSignal.abort() }))).code).toBe('ERR_ABORTED');
      expect((await rejected(call({ onProgress: 3 }))).code).toBe('ERR_INVALID_ARGUMENT');
      expect((await rejected(call({ names: [] }))).code).toBe('ERR_INVALID_ARGUMENT');
    }
    expect(readdirSync(dirname(path))).toEqual(files);
    await device().idle();
    expect(device().memory().buffers).toBeLessThanOrEqual(before.buffers);
  });

  test('refuses a file that becomes shorter while it is read', async () => {
    const part = 2 ** 22;
    const bytes = npy(headerOf('|u1', `(${3 * part},)`), new Uint8Array(3 * part));
    const path = write('shorter.npy', bytes);
    const onProgress = () => truncateSync(path, bytes.length - part);
    expect((await rejected(loadNpy(device(), path, { onProgress }))).message).toBe(
      `loadNpy: ${path}: expected at least ${bytes.length} bytes, given ${bytes.length - part}`,
    );
  });

  test('a device that is lost after 32 MiB of a file rejects the load, and nothing else', async () => {
    const count = 2 ** 25 + 2 ** 23;
    const path = write('large.npy', npy(headerOf('|u1', `(${count},)`), new Uint8Array(count).fill(7)));
    const other = await createDevice({ backend });
    const tensor = await loadNpy(other, path);
    expect(new Set(new Uint8Array(await tensor.buffer.read(0, count)))).toEqual(new Set([7]));
    // Work that the parts of the file have to wait for.
    const aTensor = other.createTensor({ dataType: 'float32', sizes: [1024, 1024] });
    await other.run({ type: 'gemm', aTensor, bTensor: aTensor });
    const onProgress = ({ loaded }: FileProgress) => {
      if (loaded === 2 ** 25) other.simulateLoss();
    };
    expect((await rejected(loadNpy(other, path, { onProgress }))).code).toBe('ERR_DEVICE_LOST');
    await new Promise((resolve) => setImmediate(resolve));
    other.dispose();
  });

  test('reads the literal as Python writes it', async () => {
    const headers = [
      `{"shape": (), "descr": "|u1", "fortran_order": False}`,
      `{'shape':(1,),'descr':'|u1','fortran_order':True,}   \n`,
      `{ 'fortran_order' : False , 'shape' : ( 1 , 1 ) , 'descr' : '|u1' , } `,
    ];
    for (const header of headers) expect(await (await load(npy(header, Uint8Array.of(9)))).read()).toEqual(Uint8Array.of(9));
  });

  test.each([
    ...[
      '(1',
      '(1)',
      '[1]',
      '(-1,)',
      '(1.0,)',
      '(01,)',
      '(,)',
      '(1,,)',
      '(1 1,)',
      '(1e1,)',
      '(9007199254740993,)',
      '1',
      "'1'",
    ].map((shape) => headerOf('|u1', shape)),
    ...['>i4', '=u1', '<U5', '<c8', '|V4', '|O', '', '|u1\\', 'constructor'].map((descr) => headerOf(descr, '(1,)')),
    ...['0', 'None', 'false', "'True'", '()'].map((order) => headerOf('|u1', '(1,)', order)),
    ...['', '{}', '{', 'x', '[]', `{'descr': [('a', '|u1')], 'fortran_order': False, 'shape': (1,)}`],
    `{'descr': '|u1', 'fortran_order': False, 'shape': (1,), 'more': True}`,
    `{'descr': '|u1', 'fortran_order': False, 'shape': (1,), 'shape': (1,)}`,
    `{'descr': '|u1' 'fortran_order': False, 'shape': (1,)}`,
    `{'descr': '|u1', 'fortran_order': False, 'shape': (1,)} {}`,
    `{'descr": '|u1', 'fortran_order': False, 'shape': (1,)}`,
    `{'descr': '|u1', 'fortran_order': False}`,
    ...['\v', '\xa0', '\0'].map((space) => headerOf('|u1', `(1,${space})`)),
    headerOf('|u1', '(2,)'),
    headerOf('<f4', '(1,)'),
  ])('refuses %j', async (header) => {
    const error = await rejected(load(npy(header, Uint8Array.of(9))));
    const [code, field] = gist(error);
    expect(code).toBe('ERR_INVALID_FILE');
    expect(field).toContain('a.npy');
  });

  test('refuses what DirectML cannot have, and files that are no arrays', async () => {
    const codeOf = async (bytes: Uint8Array) => (await rejected(load(bytes))).code;
    expect(await codeOf(npy(headerOf('|u1', '(0,)'), new Uint8Array(0)))).toBe('ERR_SIZES');
    expect(await codeOf(npy(headerOf('|u1', `(${'1, '.repeat(9)})`), Uint8Array.of(1)))).toBe('ERR_DIMENSION_COUNT');
    expect(await codeOf(npy(headerOf('|u1', '(4294967296,)'), Uint8Array.of(1)))).toBe('ERR_OUT_OF_RANGE');
    const good = npy(headerOf('|u1', '(1,)'), Uint8Array.of(1));
    for (let length = 0; length < good.length; length++) expect(await codeOf(good.subarray(0, length))).toBe('ERR_INVALID_FILE');
    for (const version of [
      [0, 0],
      [4, 0],
      [1, 1],
      [2, 3],
    ]) {
      expect(await codeOf(npy(headerOf('|u1', '(1,)'), Uint8Array.of(1), version))).toBe('ERR_INVALID_FILE');
    }
    expect(await codeOf(npy(' '.repeat(70_000), Uint8Array.of(1), [2, 0]))).toBe('ERR_INVALID_FILE');
  });
});
