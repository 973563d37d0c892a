/** Worked examples of the operators that divide, unite, repeat and reverse. */
import { examplesOf, tensor } from '../example.js';

const upToTwelve = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

export const split = examplesOf('split', 'ns-directml-dml_split_operator_desc.md', [
  {
    title: 'three parts of different heights',
    inputs: { inputTensor: tensor('float32', [1, 1, 6, 2], upToTwelve) },
    outputs: {
      outputTensors: [
        tensor('float32', [1, 1, 2, 2], [1, 2, 3, 4]),
        tensor('float32', [1, 1, 1, 2], [5, 6]),
        tensor('float32', [1, 1, 3, 2], [7, 8, 9, 10, 11, 12]),
      ],
    },
    fields: { axis: 2 },
  },
  {
    title: 'the columns',
    inputs: { inputTensor: tensor('float32', [1, 1, 6, 2], upToTwelve) },
    outputs: {
      outputTensors: [
        tensor('float32', [1, 1, 6, 1], [1, 3, 5, 7, 9, 11]),
        tensor('float32', [1, 1, 6, 1], [2, 4, 6, 8, 10, 12]),
      ],
    },
    fields: { axis: 3 },
  },
]);

const three = {
  inputTensors: [
    tensor('float32', [1, 1, 2, 2], [1, 2, 3, 4]),
    tensor('float32', [1, 1, 2, 2], [5, 6, 7, 8]),
    tensor('float32', [1, 1, 2, 2], [9, 10, 11, 12]),
  ],
};

export const join = examplesOf('join', 'ns-directml-dml_join_operator_desc.md', [
  {
    title: 'two tensors of different widths',
    inputs: {
      inputTensors: [
        tensor('float32', [1, 1, 2, 3], [1, 2, 3, 4, 5, 6]),
        tensor('float32', [1, 1, 2, 4], [7, 8, 9, 10, 11, 12, 13, 14]),
      ],
    },
    outputs: {
      outputTensor: tensor('float32', [1, 1, 2, 7], [1, 2, 3, 7, 8, 9, 10, 4, 5, 6, 11, 12, 13, 14]),
    },
    fields: { axis: 3 },
  },
  {
    title: 'three tensors as channels',
    inputs: three,
    outputs: { outputTensor: tensor('float32', [1, 3, 2, 2], upToTwelve) },
    fields: { axis: 1 },
  },
  {
    title: 'three tensors below each other',
    inputs: three,
    outputs: { outputTensor: tensor('float32', [1, 1, 6, 2], upToTwelve) },
    fields: { axis: 2 },
  },
  {
    title: 'three tensors beside each other',
    inputs: three,
    outputs: { outputTensor: tensor('float32', [1, 1, 2, 6], [1, 2, 5, 6, 9, 10, 3, 4, 7, 8, 11, 12]) },
    fields: { axis: 3 },
  },
]);

const upper = [1, 2, 3, 1, 2, 3, 1, 2, 3];
const lower = [4, 5, 6, 4, 5, 6, 4, 5, 6];

export const tile = examplesOf('tile', 'ns-directml-dml_tile_operator_desc.md', [
  {
    title: 'three times in height and in width',
    inputs: { inputTensor: tensor('float32', [1, 1, 2, 3], [1, 2, 3, 4, 5, 6]) },
    outputs: {
      outputTensor: tensor('float32', [1, 1, 6, 9], [...upper, ...lower, ...upper, ...lower, ...upper, ...lower]),
    },
    fields: { repeats: [1, 1, 3, 3] },
  },
]);

const rows = tensor('float32', [1, 1, 3, 4], upToTwelve);

export const reverseSubsequences = examplesOf('reverseSubsequences', 'ns-directml-dml_reverse_subsequences_desc.md', [
  {
    title: 'the beginnings of the rows',
    inputs: { inputTensor: rows, sequenceLengthsTensor: tensor('uint32', [1, 1, 3, 1], [2, 4, 3]) },
    outputs: { outputTensor: tensor('float32', [1, 1, 3, 4], [2, 1, 3, 4, 8, 7, 6, 5, 11, 10, 9, 12]) },
    fields: { axis: 3 },
  },
  {
    title: 'the beginnings of the columns',
    inputs: { inputTensor: rows, sequenceLengthsTensor: tensor('uint32', [1, 1, 1, 4], [2, 3, 1, 0]) },
    outputs: { outputTensor: tensor('float32', [1, 1, 3, 4], [5, 10, 3, 4, 1, 6, 7, 8, 9, 2, 11, 12]) },
    fields: { axis: 2 },
  },
]);
