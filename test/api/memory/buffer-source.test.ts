/** Sources of bytes: the actual bytes count, whatever properties the object fakes. Also float16 conversions of whole arrays. */
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDevice, fromFloat16Bits, toFloat16Bits, type Device, type DirectMLBuffer } from 'node-directml';
import { backends } from '../../support/devices.js';
import { caught, gist, rejected } from '../../support/errors.js';
import { revoked, throwing, thrown, untyped } from '../../../checks/malformed/objects.js';

const bytes = [1, 2, 3, 4, 5, 6, 7, 8];
const memory = () => Uint8Array.from(bytes).buffer;

function detached<T extends ArrayBuffer | ArrayBufferView<ArrayBuffer>>(source: T): T {
  const buffer = source instanceof ArrayBuffer ? source : source.buffer;
  structuredClone(buffer, { transfer: [buffer] });
  return source;
}

/** A view of the last four of eight bytes, which a resize of the buffer then removes. */
function cutOff<T>(view: (buffer: ArrayBuffer) => T): T {
  const buffer: ArrayBuffer = Reflect.construct(ArrayBuffer, [8, { maxByteLength: 16 }]);
  const result = view(buffer);
  Reflect.apply(Reflect.get(buffer, 'resize'), buffer, [4]);
  return result;
}

function resizable(length: number): ArrayBuffer {
  const buffer: ArrayBuffer = Reflect.construct(ArrayBuffer, [8, { maxByteLength: 16 }]);
  new Uint8Array(buffer).set(bytes);
  Reflect.apply(Reflect.get(buffer, 'resize'), buffer, [length]);
  return buffer;
}

const lying = <T extends object>(source: T): T =>
  Object.defineProperties(source, {
    byteLength: { value: 2 ** 40 },
    byteOffset: { value: -8 },
    buffer: { value: new ArrayBuffer(2) },
    length: { value: 1e9 },
    [Symbol.toStringTag]: { value: 'Float64Array' },
  });

describe.each(backends)('on %s', (backend) => {
  let device: Device;
  let buffer: DirectMLBuffer;

  beforeAll(async () => {
    device = await createDevice({ backend });
    buffer = device.createBuffer(16);
  });

  afterAll(() => device.dispose());

  test.each<[name: string, source: () => unknown, expected: number[]]>([
    ['an ArrayBuffer', memory, bytes],
    [
      'a SharedArrayBuffer',
      () => {
        const shared = new SharedArrayBuffer(8);
        new Uint8Array(shared).set(bytes);
        return shared;
      },
      bytes,
    ],
    [
      'a view of a SharedArrayBuffer',
      () => {
        const shared = new Uint8Array(new SharedArrayBuffer(8), 4);
        shared.set([9, 8]);
        return shared;
      },
      [9, 8, 0, 0],
    ],
    ['a part of a typed array', () => new Uint16Array(memory(), 2, 2), [3, 4, 5, 6]],
    ['a part of a DataView', () => new DataView(memory(), 3, 4), [4, 5, 6, 7]],
    ['a Node.js Buffer', () => Buffer.from(bytes).subarray(1, 5), [2, 3, 4, 5]],
    ['a typed array of another realm', () => runInNewContext('Uint16Array.of(513, 1027)'), [1, 2, 3, 4]],
    ['an ArrayBuffer of another realm', () => runInNewContext('Uint8Array.of(4, 3, 2, 1).buffer'), [4, 3, 2, 1]],
    ['a DataView of another realm', () => runInNewContext('new DataView(Uint8Array.of(4, 3, 2, 1).buffer, 1)'), [3, 2, 1]],
    ['a resizable ArrayBuffer that was cut', () => resizable(4), [1, 2, 3, 4]],
    ['one that grew', () => resizable(12), [...bytes, 0, 0, 0, 0]],
    ['a view that follows the length of its buffer', () => new Uint8Array(resizable(6), 2), [3, 4, 5, 6]],
    ['a typed array that lies about itself', () => lying(new Uint8Array(memory(), 4)), [5, 6, 7, 8]],
    ['a DataView that lies about itself', () => lying(new DataView(memory(), 4)), [5, 6, 7, 8]],
    ['an ArrayBuffer that lies about itself', () => lying(memory()), bytes],
    ['nothing at all', () => new Uint8Array(0), []],
    ['no bytes of an ArrayBuffer', () => new ArrayBuffer(0), []],
  ])('the bytes of %s are written', async (_, source, expected) => {
    buffer.write(new Uint8Array(16));
    buffer.write(untyped(source()), 2);
    expect([...new Uint8Array(await buffer.read())]).toEqual([0, 0, ...expected, ...new Array(14 - expected.length).fill(0)]);
  });

  test.each<[name: string, source: () => unknown]>([
    ['an object', () => ({ byteLength: 4, byteOffset: 0, buffer: memory() })],
    ['the prototype of a typed array', () => Object.create(Uint8Array.prototype)],
    ['the prototype of an ArrayBuffer', () => Object.create(ArrayBuffer.prototype)],
    ['a proxy of a typed array', () => new Proxy(new Uint8Array(4), {})],
    ['a revoked proxy', () => revoked(new Uint8Array(4))],
    ['a string', () => '1234'],
    ['a number', () => 4],
    ['null', () => null],
    ['nothing', () => undefined],
    ['a detached ArrayBuffer', () => detached(memory())],
    ['a detached typed array', () => detached(new Float32Array(2))],
    ['a detached DataView', () => detached(new DataView(memory()))],
    ['a typed array that was cut off', () => cutOff((whole) => new Uint8Array(whole, 4, 4))],
    ['a DataView that was cut off', () => cutOff((whole) => new DataView(whole, 4, 4))],
    ['one that follows the length of its buffer', () => cutOff((whole) => new Uint8Array(whole, 6))],
  ])('%s is refused', async (_, source) => {
    using tensor = device.createTensor({ dataType: 'uint8', sizes: [8] });
    expect(gist(caught(() => buffer.write(untyped(source()))))).toEqual(['ERR_INVALID_ARGUMENT', 'data']);
    expect(gist(caught(() => tensor.write(untyped(source()))))).toEqual(['ERR_INVALID_ARGUMENT', 'data']);
    expect(
      (await rejected((async () => device.createTensor({ dataType: 'uint8', sizes: [8] }, untyped(source() ?? 0)))())).code,
    ).toBe('ERR_INVALID_ARGUMENT');
    expect([...(await tensor.read())]).toEqual(new Array(8).fill(0));
  });

  test('a plain array is accepted by a tensor, but not by a buffer', async () => {
    using tensor = device.createTensor({ dataType: 'uint8', sizes: [8] });
    expect(gist(caught(() => buffer.write(untyped(bytes))))).toEqual(['ERR_INVALID_ARGUMENT', 'data']);
    tensor.write(bytes);
    expect([...(await tensor.read())]).toEqual(bytes);
  });

  test('a write copies its data at once', async () => {
    const source = Uint8Array.from(bytes);
    buffer.write(source);
    source.fill(99);
    expect([...new Uint8Array(await buffer.read(0, 8))]).toEqual(bytes);
  });

  test('a read and a write go up to the end, but not past it', async () => {
    const whole = device.createBuffer(8);
    whole.write(Uint8Array.of(7), 7);
    whole.write(new Uint8Array(0), 8);
    expect([...new Uint8Array(await whole.read(4))]).toEqual([0, 0, 0, 7]);
    expect([...new Uint8Array(await whole.read(7, 1))]).toEqual([7]);
    expect((await whole.read(8)).byteLength).toBe(0);
    expect((await whole.read(3, 0)).byteLength).toBe(0);
    expect((await rejected(whole.read(9))).code).toBe('ERR_OUT_OF_RANGE');
    expect((await rejected(whole.read(4, 5))).code).toBe('ERR_OUT_OF_RANGE');
    expect(caught(() => whole.write(new Uint8Array(0), 9)).code).toBe('ERR_OUT_OF_RANGE');
    expect(caught(() => whole.write(new Uint8Array(9))).code).toBe('ERR_OUT_OF_RANGE');
  });
});

test('arrays, typed arrays and array-like objects become float16', () => {
  const ones = Uint16Array.of(0x3c00, 0x3c00);
  const sources = [
    [1, 1],
    Float64Array.of(1, 1),
    Uint8Array.of(1, 1),
    { length: 2, 0: 1, 1: 1 },
    lying(Float32Array.of(1, 1)),
    runInNewContext('[1, 1]'),
  ];
  for (const source of sources) expect(toFloat16Bits(source)).toEqual(ones);
  for (const source of [[0x3c00, 0x3c00], ones, lying(ones)]) expect(fromFloat16Bits(source)).toEqual(Float32Array.of(1, 1));
  expect([toFloat16Bits([]).length, fromFloat16Bits([]).length]).toEqual([0, 0]);
  expect(fromFloat16Bits([0, 0xffff])).toEqual(Float32Array.of(0, NaN));
});

test.each<[source: () => unknown, to: string | undefined, from: string | undefined]>([
  [() => 1.5, 'values', 'bits'],
  [() => 15872, 'values', 'bits'],
  [() => 'x', 'values', 'bits'],
  [() => null, 'values', 'bits'],
  [() => undefined, 'values', 'bits'],
  [() => ({}), 'values', 'bits'],
  [() => () => 1, 'values', 'bits'],
  [() => ({ length: -1 }), 'values', 'bits'],
  [() => ({ length: 1.5 }), 'values', 'bits'],
  [() => ({ length: '1', 0: 1 }), 'values', 'bits'],
  [() => new ArrayBuffer(4), 'values', 'bits'],
  [() => new DataView(new ArrayBuffer(4)), 'values', 'bits'],
  [() => BigInt64Array.of(1n), 'values', 'bits'],
  [() => detached(new Float32Array(2)), 'values', 'bits'],
  [() => [1, '1'], 'values[1]', 'bits[1]'],
  [() => [1, undefined], 'values[1]', 'bits[1]'],
  [() => Array(1), 'values[0]', 'bits[0]'],
  [() => [1n], 'values[0]', 'bits[0]'],
  [() => [0, 0.5], undefined, 'bits[1]'],
  [() => [-1], undefined, 'bits[0]'],
  [() => [65536], undefined, 'bits[0]'],
  [() => Float32Array.of(NaN), undefined, 'bits'],
  [() => Float32Array.of(15360), undefined, 'bits'],
  [() => Float64Array.of(15360), undefined, 'bits'],
  [() => Int16Array.of(15360), undefined, 'bits'],
  [() => Uint8Array.of(1), undefined, 'bits'],
  [() => Int32Array.of(15360), undefined, 'bits'],
])('the conversions to and from float16 refuse %s, except for numbers that fit', (source, to, from) => {
  if (to === undefined) expect(toFloat16Bits(untyped(source()))).toBeInstanceOf(Uint16Array);
  else expect(gist(caught(() => toFloat16Bits(untyped(source()))))).toEqual(['ERR_INVALID_ARGUMENT', to]);
  expect(gist(caught(() => fromFloat16Bits(untyped(source()))))).toEqual(['ERR_INVALID_ARGUMENT', from]);
});

test('an error thrown while numbers are read becomes the cause of a typed error', () => {
  for (const [name, source] of [
    ['length', throwing({ length: 1, 0: 1 }, 'length')],
    ['0', throwing({ length: 1, 0: 1 }, 0)],
  ] as const) {
    const error = caught(() => toFloat16Bits(source));
    expect([...gist(error), error.cause]).toEqual([
      'ERR_INVALID_ARGUMENT',
      name === 'length' ? 'values.length' : 'values[0]',
      thrown,
    ]);
    expect(caught(() => fromFloat16Bits(untyped(source))).code).toBe('ERR_INVALID_ARGUMENT');
  }
});

test('more numbers than fit into memory give ERR_OUT_OF_MEMORY', () => {
  expect(caught(() => toFloat16Bits({ length: 2 ** 50 })).code).toBe('ERR_OUT_OF_MEMORY');
});
