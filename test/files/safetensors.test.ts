/** Safetensors files: what is loaded and saved; on each backend. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fromFloat16Bits, toFloat16Bits, type DataType, type Tensor } from 'node-directml';
import { loadSafetensors, saveSafetensors, type FileProgress } from 'node-directml/files';
import { Random } from '../../checks/harness/random.js';
import { dequantize } from 'node-directml/operators';
import { backends, deviceOn } from '../support/devices.js';
import { gist, rejected } from '../support/errors.js';
import { untyped } from '../../checks/malformed/objects.js';
import { bytesOf, folderOfFiles, parsed, safetensors, safetensorsOf, type Entry } from './files.js';

const dtypes: readonly (readonly [dtype: string, dataType: DataType, bytes: number])[] = [
  ['F64', 'float64', 8],
  ['F32', 'float32', 4],
  ['F16', 'float16', 2],
  ['I64', 'int64', 8],
  ['I32', 'int32', 4],
  ['I16', 'int16', 2],
  ['I8', 'int8', 1],
  ['U64', 'uint64', 8],
  ['U32', 'uint32', 4],
  ['U16', 'uint16', 2],
  ['U8', 'uint8', 1],
];

const float32 = (...values: number[]): Entry => ({
  dtype: 'F32',
  shape: [values.length],
  bytes: bytesOf(Float32Array.from(values)),
});
const bfloat16 = (...bits: number[]): Entry => ({ dtype: 'BF16', shape: [bits.length], bytes: bytesOf(Uint16Array.from(bits)) });

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const write = folderOfFiles();
  const load = (tensors: Readonly<Record<string, Entry>>, options?: object) =>
    loadSafetensors(device(), write('model.safetensors', safetensorsOf(tensors)), options);
  const bytesIn = async ({ buffer, elementSpan, totalTensorSizeInBytes, dataType }: Tensor) => {
    const size = dtypes.find(([, other]) => other === dataType)?.[2] ?? 0;
    return new Uint8Array(await buffer.read(0, totalTensorSizeInBytes)).subarray(0, elementSpan * size);
  };

  test('loads a file that is written by hand', async () => {
    // The length, 64 = 0x40, then the header with spaces at its end, then 1 and -2 as float32.
    const path = write(
      'hand.safetensors',
      Buffer.concat([
        Buffer.from([0x40, 0, 0, 0, 0, 0, 0, 0]),
        Buffer.from('{"row":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}      '),
        Buffer.from([0x00, 0x00, 0x80, 0x3f, 0x00, 0x00, 0x00, 0xc0]),
      ]),
    );
    const loaded = await loadSafetensors(device(), path);
    expect(Object.getPrototypeOf(loaded)).toBe(null);
    expect(Object.keys(loaded)).toEqual(['row']);
    const { row } = loaded;
    expect([row?.dataType, row?.sizes, row?.strides, row?.label]).toEqual(['float32', [1, 2], null, 'row']);
    expect(await row?.toArray()).toEqual([[1, -2]]);
  });

  test.each(dtypes)('loads and saves %s bit for bit', async (dtype, dataType, size) => {
    const bytes = Random.of('round trip', dtype)
      .bytes(15 * size)
      .slice();
    const entry = { dtype, shape: [3, 5], bytes };
    // Elements need not be aligned in the file.
    const { odd, x } = await load({ odd: { dtype: 'U8', shape: [3], bytes: Uint8Array.of(1, 2, 3) }, x: entry });
    if (odd === undefined || x === undefined) throw new Error('nothing loaded');
    expect([x.dataType, x.sizes]).toEqual([dataType, [3, 5]]);
    expect(await bytesIn(x)).toEqual(bytes);
    const path = write('saved.safetensors', '');
    await saveSafetensors(path, { odd, x }, { metadata: { format: 'pt' } });
    const { header, data } = parsed(readFileSync(path));
    expect((readFileSync(path).length - data.length) % 8).toBe(0);
    expect(header['__metadata__']).toEqual({ format: 'pt' });
    expect(header['x']).toMatchObject({ dtype, shape: [3, 5] });
    expect(bytesOf(data.subarray(...(header['x']?.data_offsets ?? [0, 0])))).toEqual(bytes);
    const again = await loadSafetensors(device(), path);
    expect(await bytesIn(again['x'] ?? x)).toEqual(bytes);
    expect(await again['odd']?.toArray()).toEqual([1, 2, 3]);
  });

  test('single numbers get the sizes [1], and BOOL is uint8', async () => {
    const { one, flags } = await load({
      one: { dtype: 'I32', shape: [], bytes: bytesOf(Int32Array.of(7)) },
      flags: { dtype: 'BOOL', shape: [3], bytes: Uint8Array.of(1, 0, 1) },
    });
    expect([one?.sizes, await one?.toArray(), flags?.dataType, await flags?.toArray()]).toEqual([[1], [7], 'uint8', [1, 0, 1]]);
  });

  test('converts bfloat16 to float32 exactly', async () => {
    const bits = Array.from({ length: 2 ** 16 }, (_, i) => i);
    const { x } = await load({ x: bfloat16(...bits) });
    expect(x?.dataType).toBe('float32');
    expect(new Uint32Array((await x?.buffer.read()) ?? new ArrayBuffer(0))).toEqual(Uint32Array.from(bits, (each) => each << 16));
  });

  test('converts float data types as the option says', async () => {
    const values = [1, -0, 1 / 3, 65519, 65520, 1e300, 2 ** -24, 2 ** -25];
    const tensors = {
      wide: { dtype: 'F64', shape: [8], bytes: bytesOf(Float64Array.from(values)) },
      single: float32(...values),
      half: { dtype: 'F16', shape: [8], bytes: bytesOf(toFloat16Bits(values)) },
      brain: bfloat16(0x3f80, 0x8000, 0x7f80, 0x4780, 0x3eab),
      whole: { dtype: 'I8', shape: [2], bytes: Uint8Array.of(1, 255) },
    };
    const halves = [...fromFloat16Bits(toFloat16Bits(values))];
    const to16 = await load(tensors, { dataType: 'float16' });
    expect(Object.values(to16).map(({ dataType }) => dataType)).toEqual([...Array<string>(4).fill('float16'), 'int8']);
    for (const name of ['wide', 'single', 'half']) expect(await to16[name]?.toArray()).toEqual(halves);
    expect(await to16['brain']?.toArray()).toEqual([1, -0, Infinity, Infinity, fromFloat16Bits([0x3558])[0]]);
    const to32 = await load(tensors, { dataType: { wide: 'float32', half: 'float32' } });
    expect(Object.values(to32).map(({ dataType }) => dataType)).toEqual(['float32', 'float32', 'float32', 'float32', 'int8']);
    expect(await to32['wide']?.toArray()).toEqual(values.map(Math.fround));
    expect(await to32['half']?.toArray()).toEqual(halves);
    expect(await to32['whole']?.toArray()).toEqual([1, -1]);
    const wrong = await rejected(load(tensors, { dataType: { whole: 'float32' } }));
    expect(gist(wrong)).toEqual(['ERR_INVALID_ARGUMENT', 'options.dataType.whole']);
    expect((await rejected(load(tensors, { dataType: { hal: 'float32' } }))).message).toContain("did you mean 'half'?");
    expect(gist(await rejected(load(tensors, { dataType: 'int8' })))).toEqual(['ERR_INVALID_ARGUMENT', 'options.dataType']);
  });

  test('loads bytes as int4 and uint4, the first element in the low bits, and saves such tensors', async () => {
    const bytes = Uint8Array.of(0x21, 0x8f, 0x70, 0xee);
    const tensors = {
      signed: { dtype: 'U8', shape: [2, 2], bytes },
      unsigned: { dtype: 'U8', shape: [4], bytes },
      one: { dtype: 'U8', shape: [], bytes: Uint8Array.of(0xa3) },
      bytes: { dtype: 'U8', shape: [4], bytes },
    };
    const dataType = { signed: 'int4', unsigned: 'uint4', one: 'uint4' } as const;
    const expected = {
      signed: [
        [1, 2, -1, -8],
        [0, 7, -2, -2],
      ],
      unsigned: [1, 2, 15, 8, 0, 7, 14, 14],
      one: [3, 10],
      bytes: [...bytes],
    };
    const loaded = await load(tensors, { dataType });
    const path = write('four.safetensors', '');
    await saveSafetensors(path, loaded);
    const { header, data } = parsed(readFileSync(path));
    expect([header['signed']?.dtype, header['signed']?.shape, header['one']?.shape]).toEqual(['U8', [2, 2], [1]]);
    expect(bytesOf(data.subarray(...(header['signed']?.data_offsets ?? [0, 0])))).toEqual(bytes);
    for (const each of [loaded, await loadSafetensors(device(), path, { dataType })]) {
      expect([each['signed']?.dataType, each['signed']?.sizes]).toEqual(['int4', [2, 4]]);
      for (const [name, values] of Object.entries(expected)) expect(await each[name]?.toArray()).toEqual(values);
    }
    const { signed } = loaded;
    if (signed === undefined) throw new Error('nothing loaded');
    const scale = device().createTensor({ dataType: 'float32', sizes: [2, 1] }, [1, 10]);
    expect(await (await dequantize(untyped<Tensor<'int4'>>(signed), [scale])).toArray()).toEqual([
      [1, 2, -1, -8],
      [0, 70, -20, -20],
    ]);
    const whole = { a: { dtype: 'I8', shape: [2], bytes: Uint8Array.of(1, 2) }, b: float32(1), c: tensors.bytes };
    const messageOf = async (given: object) => (await rejected(load(whole, { dataType: given }))).message;
    expect(await messageOf({ a: 'int4' })).toContain("options.dataType.a: expected nothing for a tensor of int8, given 'int4'");
    expect(await messageOf({ b: 'int4' })).toContain("expected 'float32' or 'float16' for a tensor of float32, given 'int4'");
    expect(await messageOf({ c: 'float16' })).toContain("expected 'int4' or 'uint4' for a tensor of uint8, given 'float16'");
    expect(gist(await rejected(load(whole, { dataType: 'int4' })))).toEqual(['ERR_INVALID_ARGUMENT', 'options.dataType']);
  });

  test('loads the wanted tensors under the wanted names', async () => {
    const tensors = { 'a.weight': float32(1), 'a.bias': float32(2), '7': float32(3) };
    expect(Object.keys(await load(tensors, { names: ['a.bias', '7'] })).sort()).toEqual(['7', 'a.bias']);
    const rename = (name: string) => (name.startsWith('a.') ? name.slice(2) : null);
    const renamed = await load(tensors, { names: rename });
    expect(Object.keys(renamed).sort()).toEqual(['bias', 'weight']);
    expect(await renamed['bias']?.toArray()).toEqual([2]);
    const error = await rejected(load(tensors, { names: ['a.wieght'] }));
    expect(error.message).toBe(
      "loadSafetensors: options.names[0]: expected the name of a tensor in the files, given 'a.wieght' (did you mean 'a.weight'?)",
    );
    expect((await rejected(load(tensors, { names: () => 'same' }))).message).toContain(
      "another name for each tensor, given 'same'",
    );
    expect((await rejected(load(tensors, { names: () => undefined }))).code).toBe('ERR_INVALID_ARGUMENT');
  });

  test('leaves out tensors that DirectML cannot have, and names them if they are wanted', async () => {
    const tensors = {
      deep: { dtype: 'U8', shape: Array<number>(9).fill(1), bytes: Uint8Array.of(1) },
      empty: { dtype: 'F32', shape: [2, 0], bytes: new Uint8Array(0) },
      eight: { dtype: 'F8_E4M3', shape: [2], bytes: Uint8Array.of(1, 2) },
      good: float32(1),
    };
    expect(Object.keys(await load(tensors, { names: ['good'] }))).toEqual(['good']);
    const errors = ['deep', 'empty', 'eight'].map(async (name) => rejected(load(tensors, { names: [name] })));
    const [deep, empty, eight] = await Promise.all(errors);
    expect([deep?.code, empty?.code, eight?.code]).toEqual(['ERR_DIMENSION_COUNT', 'ERR_SIZES', 'ERR_INVALID_FILE']);
    expect(deep?.message).toContain("model.safetensors: tensor 'deep'.sizes: expected 1 to 8 dimensions, given 9");
    expect(empty?.field).toContain("tensor 'empty'.sizes[1]");
    expect(eight?.message).toContain("tensor 'eight'.dtype: expected one of F64,");
  });

  test('loads several files, and the files of an index', async () => {
    const first = write('1.safetensors', safetensorsOf({ a: float32(1), b: float32(2) }));
    const second = write('2.safetensors', safetensorsOf({ c: float32(3) }));
    const valuesOf = async (loaded: Readonly<Record<string, Tensor>>) => {
      const tensors = Object.entries(loaded);
      return Object.fromEntries(await Promise.all(tensors.map(async ([name, tensor]) => [name, await tensor.toArray()])));
    };
    expect(await valuesOf(await loadSafetensors(device(), [first, second]))).toEqual({ a: [1], b: [2], c: [3] });
    const index = (map: unknown) => write('model.safetensors.index.json', JSON.stringify({ metadata: {}, weight_map: map }));
    const path = index({ a: '1.safetensors', c: '2.safetensors' });
    expect(await valuesOf(await loadSafetensors(device(), path))).toEqual({ a: [1], c: [3] });
    const twice = await rejected(loadSafetensors(device(), [first, first]));
    expect(gist(twice)).toEqual(['ERR_INVALID_FILE', `${first}: tensor 'a'`]);
    const missing = await rejected(loadSafetensors(device(), index({ d: '1.safetensors' })));
    expect(gist(missing)).toEqual(['ERR_INVALID_FILE', `${first}: tensor 'd'`]);
    for (const outside of [
      '../1.safetensors',
      '/etc/passwd',
      'C:\\1',
      'a/../../1',
      'a\\..\\b',
      '',
      '.',
      'a:b',
      'a\0b',
      3,
      null,
    ]) {
      const error = await rejected(loadSafetensors(device(), index({ a: outside })));
      expect(gist(error)).toEqual(['ERR_INVALID_FILE', `${path}: tensor 'a'`]);
    }
    for (const map of [undefined, null, [], 'a'])
      expect((await rejected(loadSafetensors(device(), index(map)))).code).toBe('ERR_INVALID_FILE');
  });

  test('reports progress, and stops when the signal is aborted', async () => {
    const count = 3 * 2 ** 20;
    const large = { dtype: 'F32', shape: [count], bytes: bytesOf(new Float32Array(count).fill(3)) };
    const steps: FileProgress[] = [];
    const { x } = await load({ x: large, y: float32(1, 2) }, { onProgress: (step: FileProgress) => steps.push(step) });
    const total = count * 4 + 8;
    const part = 2 ** 22;
    expect(steps).toEqual([part, 2 * part, 3 * part, total].map((loaded) => ({ loaded, total })));
    expect(await x?.read({ offset: count - 2 })).toEqual(Float32Array.of(3, 3));
    const before = device().memory();
    const controller = new AbortController();
    const reason = new Error('left');
    const options = { signal: controller.signal, onProgress: () => controller.abort(reason) };
    const aborted = await rejected(load({ x: large }, options));
    expect([aborted.code, aborted.name, aborted.cause]).toEqual(['ERR_ABORTED', 'AbortError', reason]);
    expect((await rejected(load({ x: large }, { signal: AbortSignal.abort() }))).code).toBe('ERR_ABORTED');
    const thrown = new Error('of the program');
    const fail = () => {
      throw thrown;
    };
    await expect(load({ x: large }, { onProgress: fail })).rejects.toBe(thrown);
    await device().idle();
    expect(device().memory().buffers).toBeLessThanOrEqual(before.buffers);
  });

  test('reports progress of a save, and leaves no file when the signal is aborted', async () => {
    const count = 2 ** 21;
    const x = device().createTensor({ dataType: 'float32', sizes: [count] }, new Float32Array(count).fill(3));
    const y = device().createTensor({ dataType: 'uint8', sizes: [3] }, [1, 2, 3]);
    const path = write('large.safetensors', 'before');
    const steps: FileProgress[] = [];
    await saveSafetensors(path, { y, x }, { onProgress: (step) => steps.push(step) });
    const part = 2 ** 22;
    expect(steps).toEqual([part, 2 * part, 2 * part + 3].map((loaded) => ({ loaded, total: 2 * part + 3 })));
    const files = readdirSync(dirname(path));
    for (const at of [0, part, 2 * part + 3]) {
      const controller = new AbortController();
      const reason = new Error(`at ${at}`);
      if (at === 0) controller.abort(reason);
      const onProgress = ({ loaded }: FileProgress) => {
        if (loaded === at) controller.abort(reason);
      };
      const options = { signal: controller.signal, onProgress };
      for (const target of [path, `${path}.new`]) {
        const aborted = await rejected(saveSafetensors(target, { y, x }, options));
        expect([aborted.code, aborted.name, aborted.cause]).toEqual(['ERR_ABORTED', 'AbortError', reason]);
      }
    }
    const aborting = new AbortController();
    const saving = saveSafetensors(path, { y }, { signal: aborting.signal });
    aborting.abort();
    expect((await rejected(saving)).code).toBe('ERR_ABORTED');
    const thrown = new Error('of the program');
    const fail = () => {
      throw thrown;
    };
    await expect(saveSafetensors(path, { x }, { onProgress: fail })).rejects.toBe(thrown);
    expect(readdirSync(dirname(path))).toEqual(files);
    const again = await loadSafetensors(device(), path);
    expect(await again['x']?.read({ offset: count - 2 })).toEqual(Float32Array.of(3, 3));
  });

  test('names each argument that is wrong', async () => {
    const path = write('b.safetensors', safetensorsOf({ 'a.weight': float32(1), b: float32(2) }));
    const refusal = async (call: () => Promise<unknown>) => {
      const { code, operator, field, message } = await rejected(call());
      return [code, operator, field, message];
    };
    const refused = (field: string, rest: string) => [
      'ERR_INVALID_ARGUMENT',
      'loadSafetensors',
      field,
      `loadSafetensors: ${field}: expected ${rest}`,
    ];
    const hostile = Proxy.revocable([], {});
    hostile.revoke();
    const from = (source: unknown) => () => loadSafetensors(device(), untyped<string>(source));
    const names = (given: unknown) => () => loadSafetensors(device(), path, { names: untyped<string[]>(given) });
    expect(await refusal(from(3))).toEqual(refused('source', 'a path or an array of paths, given 3'));
    expect(await refusal(from([path, 3]))).toEqual(refused('source[1]', 'a string, given 3'));
    expect(await refusal(from([path, '']))).toEqual(refused('source[1]', "a path, given ''"));
    expect((await refusal(from(hostile.proxy))).slice(0, 3)).toEqual(refused('source', '').slice(0, 3));
    expect(await refusal(names(3))).toEqual(refused('options.names', 'an array of names, or a function of a name, given 3'));
    expect(await refusal(names(['b', 3]))).toEqual(refused('options.names[1]', 'a string, given 3'));
    expect((await refusal(names(hostile.proxy))).slice(0, 3)).toEqual(refused('options.names', '').slice(0, 3));
    const missing = "the name of a tensor in the files, given 'a.wieght' (did you mean 'a.weight'?)";
    expect(await refusal(names(['b', 'a.wieght']))).toEqual(refused('options.names[1]', missing));
    const unlike = "the name of a tensor in the files, given 'zzz'";
    expect(await refusal(names(['zzz', 'b']))).toEqual(refused('options.names[0]', unlike));
    expect(await refusal(names(() => 3))).toEqual(refused("options.names('a.weight')", 'a name or null, given 3'));
  });

  test('refuses wrong arguments', async () => {
    const path = write('a.safetensors', safetensorsOf({ a: float32(1) }));
    const { a } = await loadSafetensors(device(), path);
    const codes = async (...calls: (() => Promise<unknown>)[]) =>
      Promise.all(calls.map(async (call) => (await rejected(call())).code));
    const [anyDevice, anyPath] = [untyped<never>({}), untyped<never>(3)];
    expect(
      await codes(
        () => loadSafetensors(anyDevice, path),
        () => loadSafetensors(device(), anyPath),
        () => loadSafetensors(device(), untyped<never>([3])),
        () => loadSafetensors(device(), path, untyped<never>({ name: [] })),
        () => loadSafetensors(device(), path, untyped<never>({ names: 3 })),
        () => loadSafetensors(device(), path, untyped<never>({ onProgress: 3 })),
        () => loadSafetensors(device(), path, untyped<never>({ signal: 3 })),
        () => saveSafetensors(path, untyped<never>({ a: 3 })),
        () => saveSafetensors(path, untyped<never>(null)),
        () => saveSafetensors(path, untyped<never>({ __metadata__: a })),
        () => saveSafetensors(path, {}, untyped<never>({ metadata: { a: 3 } })),
        () => saveSafetensors(path, {}, untyped<never>({ onProgress: 3 })),
        () => saveSafetensors(path, {}, untyped<never>({ signal: 3 })),
      ),
    ).toEqual(Array(13).fill('ERR_INVALID_ARGUMENT'));
    expect(
      await codes(
        () => loadSafetensors(device(), `${path}.not`),
        () => loadSafetensors(device(), dirname(path)),
        () => saveSafetensors(`${path}/not/there`, {}),
      ),
    ).toEqual(Array(3).fill('ERR_INVALID_FILE'));
    const four = device().createTensor({ dataType: 'uint4', sizes: [2, 3] });
    const turned = device()
      .createTensor({ dataType: 'uint8', sizes: [2, 2] })
      .transpose();
    expect(
      await codes(
        () => saveSafetensors(path, { four }),
        () => saveSafetensors(path, { turned }),
      ),
    ).toEqual(['ERR_SIZES', 'ERR_STRIDES']);
    // A save that fails leaves the file as it was, and no other one.
    expect(readFileSync(path)).toEqual(safetensorsOf({ a: float32(1) }));
    expect(readdirSync(dirname(path)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('saves and loads an empty file', async () => {
    const path = write('empty.safetensors', '');
    await saveSafetensors(path, {});
    expect(readFileSync(path)).toEqual(safetensors('{}      ', new Uint8Array(0)));
    expect(Object.keys(await loadSafetensors(device(), path))).toEqual([]);
  });
});
