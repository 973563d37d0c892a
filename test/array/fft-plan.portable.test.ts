/** How lengths of Fourier transforms are split: few factors, of which none is large. */
import { expect, test } from 'vitest';
import { factorsOf } from '#lib/array/fft-plan.js';

test.each<[length: number, factors: readonly number[] | null]>([
  [1, [1]],
  [2, [2]],
  [31, [31]],
  [32, [32]],
  [33, [11, 3]],
  [64, [8, 8]],
  [97, [97]],
  [127, [127]],
  [128, [16, 8]],
  [131, null],
  [194, [97, 2]],
  [243, [27, 9]],
  [262, null],
  [1000, [10, 10, 10]],
  [1024, [32, 32]],
  [2048, [16, 16, 8]],
  [4096, [16, 16, 16]],
  [127 * 127, [127, 127]],
])('%i is split into %j', (length, factors) => {
  expect(factorsOf(length)).toEqual(factors);
});
