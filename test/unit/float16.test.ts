/** Conversions to and from float16. */
import { expect, test } from 'vitest';
import { fromFloat16Bits, toFloat16Bits } from 'node-directml';

test('all 65,536 bit patterns survive the way there and back, but for the payloads of NaN', () => {
  const all = Uint16Array.from({ length: 65536 }, (_, i) => i);
  const values = fromFloat16Bits(all);
  const back = toFloat16Bits(values);
  for (const [i, bits] of all.entries()) {
    if (Number.isNaN(values[i])) expect((back[i] ?? 0) & 0x7fff).toBe(0x7e00);
    else expect(back[i]).toBe(bits);
  }
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
