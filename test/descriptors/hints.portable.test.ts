/** Errors about sizes end with the calls that would make the tensors fit. */
import { describe, expect, test } from 'vitest';
import { isFeatureLevel } from '#lib/descriptors/feature-level.js';
import { layoutHint } from '#lib/descriptors/image-layout.js';
import { batchOfMatrices, productHint, vectorHint } from '#lib/descriptors/matrix-hints.js';
import { sameSizesHint } from '#lib/descriptors/shape-hints.js';

const forward = { groupCount: 1, isBackward: false };
const last = 'if the channels are last now, inputTensor.transpose([0, 3, 1, 2])';

test.each([
  [[1, 8, 8, 3], [3, 3, 3, 16], forward, `${last} with filterTensor.transpose([3, 2, 0, 1]) would fit`],
  [[1, 8, 8, 3], [16, 3, 2, 2], forward, `${last} would fit`],
  [[1, 2, 2, 3], [5, 3, 2, 2], forward, `${last} would fit`],
  [[1, 8, 8, 6], [12, 3, 3, 3], { ...forward, groupCount: 2 }, `${last} would fit`],
  [[1, 8, 8, 4], [4, 3, 3, 3], { ...forward, isBackward: true }, `${last} would fit`],
  [[1, 8, 3], [16, 3, 3], forward, 'if the channels are last now, inputTensor.transpose([0, 2, 1]) would fit'],
  [[1, 3, 8, 8], [16, 3, 3, 3], forward, undefined],
  [[1, 8, 8, 5], [16, 3, 3, 3], forward, undefined],
  [[1, 2, 2, 3], [5, 3, 4, 4], forward, undefined],
  [[1, 8, 8, 3], [16, 3, 3], forward, undefined],
  [[3, 8], [8, 3], forward, undefined],
])('channels that come last: an image %j and a filter %j', (input, filter, options, expected) => {
  expect(layoutHint({ input, filter, ...options })).toBe(expected);
});

describe('a matrix product', () => {
  const none = { transA: 'none', transB: 'none' };
  test.each([
    [[2, 3], [4, 3], none, "transB: 'transpose' would fit"],
    [[3, 2], [3, 4], none, "transA: 'transpose' would fit"],
    [[3, 2], [3, 2], none, "transB: 'transpose' or transA: 'transpose' would fit"],
    [[2, 3], [3, 4], { ...none, transB: 'transpose' }, "transB: 'none' would fit"],
    [[2, 3], [3, 4], { ...none, transA: 'transpose' }, "transA: 'none' would fit"],
    [[2, 3], [4, 5], none, undefined],
    [[2, 3], [4, 3], {}, 'bTensor with its last two dimensions transposed would fit'],
    [[3, 2], [3, 4], {}, 'aTensor with its last two dimensions transposed would fit'],
    [[5, 2, 3], [3, 4], none, 'bTensor.broadcastTo([5, 3, 4]) would fit'],
    [[2, 3], [5, 3, 4], none, 'aTensor.broadcastTo([5, 2, 3]) would fit'],
    [[5, 2, 3], [4, 3, 4], none, undefined],
  ])('of %j and %j with %j', (a, b, transforms, expected) => {
    expect(productHint({ type: 'gemm', aTensor: { sizes: a }, bTensor: { sizes: b }, ...transforms })).toBe(expected);
  });

  test.each([
    ['gemm', [1, 3, 4], [5, 2, 3], 'broadcastTo([5, 3, 4])'],
    ['matrixMultiplyInteger', [3, 4], [5, 2, 3], 'broadcastTo([5, 3, 4])'],
    ['gemm', [3, 4], [2, 3], undefined],
    ['gemm', [4], [5, 2, 3], undefined],
    ['gemm', [5, 3, 4], [2, 3], undefined],
    ['elementWiseAdd', [3, 4], [5, 3, 4], undefined],
  ] as const)('%s: a matrix %j for the batch of %j', (type, sizes, other, expected) => {
    expect(batchOfMatrices(type, sizes, other)).toBe(expected);
  });

  test.each([
    ['gemm', 'aTensor', [3], 'aTensor.reshape([1, 3]) is one row'],
    ['matrixMultiplyInteger', 'bTensor', [3], 'bTensor.reshape([3, 1]) is one column'],
    ['gemm', 'cTensor', [3], 'cTensor.broadcastTo(sizes), with the sizes of outputTensor, repeats it, as the function gemm does'],
    ['gemm', 'outputTensor', [3], undefined],
    ['gemm', 'aTensor', [3, 1], undefined],
    ['elementWiseAdd', 'aTensor', [3], undefined],
  ] as const)('%s: %s as a vector %j', (type, name, sizes, expected) => {
    expect(vectorHint(type, name, sizes)).toBe(expected);
  });
});

test.each([
  [[3, 8, 8], 'inputTensor.reshape([1, 3, 8, 8]) would fit'],
  [[8, 8], undefined],
])('a convolution adds one dimension to an image %j, not two', (sizes, expected) => {
  const filter = { name: 'filterTensor', sizes: [16, 3, 3, 3] };
  expect(sameSizesHint('convolution', { name: 'inputTensor', sizes }, filter)).toBe(expected);
});

test.each([
  ['1.0', true],
  ['6.4', true],
  ['9.0', false],
  ['toString', false],
  [['1.0'], false],
  [undefined, false],
])('%j as a feature level: %s', (value, expected) => expect(isFeatureLevel(value)).toBe(expected));
