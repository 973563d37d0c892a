/** Examples of fold and unfold. */
import { examplesOf, tensor } from '../../cases/example.js';
import { floatTensor, unary } from '../../cases/own-example.js';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const window = { windowSizes: [3, 3], strides: [1, 1], dilations: [1, 1] };
const unpadded = { ...window, startPadding: [0, 0], endPadding: [0, 0] };
const padded = { ...window, startPadding: [1, 0], endPadding: [1, 0] };

const folded = [...[26, 70, 102, 60], ...[78, 183, 231, 129], ...[84, 195, 243, 135], ...[82, 182, 214, 116]];

export const fold = examplesOf('fold', 'ns-directml-dml_fold_operator_desc.md', [
  {
    title: 'one channel',
    inputs: { inputTensor: tensor('float32', [1, 9, 4], upTo(36)) },
    outputs: {
      outputTensor: tensor('float32', [1, 1, 4, 4], [0, 5, 13, 9, 14, 38, 54, 32, 38, 86, 102, 56, 26, 57, 65, 35]),
    },
    fields: unpadded,
  },
  {
    title: 'one channel, padded',
    inputs: { inputTensor: tensor('float32', [1, 9, 8], upTo(72)) },
    outputs: { outputTensor: tensor('float32', [1, 1, 4, 4], folded) },
    fields: padded,
  },
  {
    title: 'two channels, padded',
    inputs: { inputTensor: tensor('float32', [1, 18, 8], upTo(144)) },
    outputs: {
      outputTensor: tensor(
        'float32',
        [1, 2, 4, 4],
        [...folded, ...[170, 358, 390, 204], ...[294, 615, 663, 345], ...[300, 627, 675, 351], ...[226, 470, 502, 260]],
      ),
    },
    fields: padded,
  },
]);

const square = { inputTensor: tensor('float32', [1, 1, 5, 5], upTo(25)) };

export const unfold = examplesOf('unfold', 'ns-directml-dml_unfold_operator_desc.md', [
  {
    title: 'one channel',
    inputs: square,
    outputs: {
      outputTensor: tensor(
        'float32',
        [1, 9, 9],
        [
          ...[0, 1, 2, 5, 6, 7, 10, 11, 12],
          ...[1, 2, 3, 6, 7, 8, 11, 12, 13],
          ...[2, 3, 4, 7, 8, 9, 12, 13, 14],
          ...[5, 6, 7, 10, 11, 12, 15, 16, 17],
          ...[6, 7, 8, 11, 12, 13, 16, 17, 18],
          ...[7, 8, 9, 12, 13, 14, 17, 18, 19],
          ...[10, 11, 12, 15, 16, 17, 20, 21, 22],
          ...[11, 12, 13, 16, 17, 18, 21, 22, 23],
          ...[12, 13, 14, 17, 18, 19, 22, 23, 24],
        ],
      ),
    },
    fields: unpadded,
  },
  {
    title: 'one channel, padded',
    inputs: square,
    outputs: {
      outputTensor: tensor(
        'float32',
        [1, 9, 15],
        [
          ...[0, 0, 0, 0, 1, 2, 5, 6, 7, 10, 11, 12, 15, 16, 17],
          ...[0, 0, 0, 1, 2, 3, 6, 7, 8, 11, 12, 13, 16, 17, 18],
          ...[0, 0, 0, 2, 3, 4, 7, 8, 9, 12, 13, 14, 17, 18, 19],
          ...[0, 1, 2, 5, 6, 7, 10, 11, 12, 15, 16, 17, 20, 21, 22],
          ...[1, 2, 3, 6, 7, 8, 11, 12, 13, 16, 17, 18, 21, 22, 23],
          ...[2, 3, 4, 7, 8, 9, 12, 13, 14, 17, 18, 19, 22, 23, 24],
          ...[5, 6, 7, 10, 11, 12, 15, 16, 17, 20, 21, 22, 0, 0, 0],
          ...[6, 7, 8, 11, 12, 13, 16, 17, 18, 21, 22, 23, 0, 0, 0],
          ...[7, 8, 9, 12, 13, 14, 17, 18, 19, 22, 23, 24, 0, 0, 0],
        ],
      ),
    },
    fields: padded,
  },
]);

export const ours = [
  unary(
    'unfold',
    floatTensor([1, 1, 3, 3], 1, 2, 3, 4, 5, 6, 7, 8, 9),
    floatTensor([1, 4, 4], 1, 2, 4, 5, 2, 3, 5, 6, 4, 5, 7, 8, 5, 6, 8, 9),
    { windowSizes: [2, 2], strides: [1, 1], dilations: [1, 1], startPadding: [0, 0], endPadding: [0, 0] },
  ),
];
