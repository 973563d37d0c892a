/** Single elements of each data type, compared with the typed arrays of the engine. */
import { expect, test } from 'vitest';
import { codecs } from '#lib/tensors/element.js';

const memory = () => new DataView(new ArrayBuffer(16));

test.each([
  ['float64', [1.5, -0, Infinity, NaN, 5e-324], (buffer: ArrayBuffer) => new Float64Array(buffer)],
  ['float32', [1.5, -0, Infinity, NaN, 2 ** -149], (buffer: ArrayBuffer) => new Float32Array(buffer)],
  ['int64', [-1n, 2n ** 63n - 1n, -(2n ** 63n)], (buffer: ArrayBuffer) => new BigInt64Array(buffer)],
  ['uint64', [1n, 2n ** 64n - 1n, 2n ** 63n], (buffer: ArrayBuffer) => new BigUint64Array(buffer)],
  ['int32', [-1, 2 ** 31 - 1, -(2 ** 31)], (buffer: ArrayBuffer) => new Int32Array(buffer)],
  ['uint32', [1, 2 ** 32 - 1, 2 ** 31], (buffer: ArrayBuffer) => new Uint32Array(buffer)],
  ['int16', [-1, 32_767, -32_768], (buffer: ArrayBuffer) => new Int16Array(buffer)],
  ['uint16', [1, 65_535, 32_768], (buffer: ArrayBuffer) => new Uint16Array(buffer)],
  ['int8', [-1, 127, -128], (buffer: ArrayBuffer) => new Int8Array(buffer)],
  ['uint8', [1, 255, 128], (buffer: ArrayBuffer) => new Uint8Array(buffer)],
] as const)('%s is read and written as in its typed array', (dataType, values, arrayOn) => {
  const { read, write } = codecs[dataType];
  for (const value of values) {
    const view = memory();
    write(view, 1, value);
    expect(arrayOn(view.buffer)[1]).toBe(value);
    expect(read(view, 1)).toBe(value);
    expect(read(view, 0)).toBe(typeof value === 'bigint' ? 0n : 0);
  }
});

test('float16 is rounded to the nearest', () => {
  const view = memory();
  codecs.float16.write(view, 3, 1 + 2 ** -10 + 2 ** -12);
  expect(view.getUint16(6, true)).toBe(0x3c01);
  expect(codecs.float16.read(view, 3)).toBe(1 + 2 ** -10);
});

test('two elements of 4 bits share a byte, the first in the low bits', () => {
  const view = memory();
  [-8, 7, -1, 3].forEach((value, i) => codecs.int4.write(view, i, value));
  expect([view.getUint8(0), view.getUint8(1)]).toEqual([0x78, 0x3f]);
  expect([0, 1, 2, 3].map((i) => codecs.int4.read(view, i))).toEqual([-8, 7, -1, 3]);
  expect([0, 1, 2, 3].map((i) => codecs.uint4.read(view, i))).toEqual([8, 7, 15, 3]);
});

test('integers beyond the width are wrapped', () => {
  const view = memory();
  codecs.uint64.write(view, 0, -1n);
  codecs.uint32.write(view, 2, -1);
  codecs.uint8.write(view, 12, 257);
  expect([codecs.uint64.read(view, 0), codecs.uint32.read(view, 2), codecs.uint8.read(view, 12)]).toEqual([
    2n ** 64n - 1n,
    2 ** 32 - 1,
    1,
  ]);
});
