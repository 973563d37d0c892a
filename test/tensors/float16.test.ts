/** Conversions to and from float16. */
import { expect, test } from 'vitest';
import { createDevice, fromFloat16Bits, toFloat16Bits } from 'node-directml';
import { backends } from '../support/devices.js';

test('all 65,536 bit patterns survive the round trip, except for NaN payloads', () => {
  const all = Uint16Array.from({ length: 65536 }, (_, i) => i);
  const values = fromFloat16Bits(all);
  const back = toFloat16Bits(values);
  const wrong = all.filter((bits) => {
    const isNaN = Number.isNaN(values[bits]);
    return isNaN ? ((back[bits] ?? 0) & 0x7fff) !== 0x7e00 : back[bits] !== bits;
  });
  expect([...wrong]).toEqual([]);
});

test.each([
  [1, 0x3c00],
  [-2, 0xc000],
  [65504, 0x7bff],
  [65519.99, 0x7bff],
  [65520, 0x7c00],
  [1e300, 0x7c00],
  [-Infinity, 0xfc00],
  [-0, 0x8000],
  [2 ** -24, 1],
  [2 ** -25, 0],
  [2 ** -25 * 1.0000001, 1],
  [2 ** -14, 0x0400],
  [2 ** -14 - 2 ** -25, 0x0400],
  [1 + 2 ** -11, 0x3c00],
  [1 + 3 * 2 ** -11, 0x3c02],
  [1 + 2 ** -11 + 2 ** -40, 0x3c01],
  [2047.5, 0x6800],
])('%d is %i', (value, bits) => {
  expect(toFloat16Bits([value])[0]).toBe(bits);
});

test.each([
  [0x0000, 0],
  [0x8000, -0],
  [0x0001, 2 ** -24],
  [0x83ff, -1023 * 2 ** -24],
  [0x0400, 2 ** -14],
  [0x3555, 0.333251953125],
  [0x3c00, 1],
  [0xc100, -2.5],
  [0x7bff, 65504],
  [0x7c00, Infinity],
  [0xfc00, -Infinity],
  [0x7c01, NaN],
  [0xfe00, NaN],
])('the bits %i are %d', (bits, value) => {
  expect(fromFloat16Bits([bits])[0]).toBe(value);
});

test('every NaN becomes the same quiet one', () => {
  expect([...toFloat16Bits([NaN, -NaN])]).toEqual([0x7e00, 0x7e00]);
});

test.each(backends)('elements read from a tensor on %s become numbers in every runtime', async (backend) => {
  using device = await createDevice({ backend });
  const numbers = [1, -2, 0.5, 65504, 2 ** -24];
  const tensor = device.createTensor({ dataType: 'float16', sizes: [5] }, numbers);
  const read = await tensor.read();
  expect(read.constructor.name).toBe('Float16Array' in globalThis ? 'Float16Array' : 'Uint16Array');
  expect(fromFloat16Bits(read)).toEqual(Float32Array.from(numbers));
  expect(fromFloat16Bits(await tensor.read({ offset: 1, length: 2 }))).toEqual(Float32Array.of(-2, 0.5));
});
