/** Examples of the operators that take an index or a sequence length for each position along one axis. */
import { examplesOf, tensor } from '../../cases/example.js';
import { floats, own } from '../../cases/own-example.js';

export const gatherElements = examplesOf('gatherElements', 'ns-directml-dml_gather_elements_operator_desc.md', [
  {
    title: 'elements of each column',
    inputs: {
      inputTensor: tensor('float32', [3, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9]),
      indicesTensor: tensor('uint32', [2, 3], [1, 2, 0, 2, 0, 0]),
    },
    outputs: { outputTensor: tensor('float32', [2, 3], [4, 8, 3, 7, 2, 3]) },
    fields: { axis: 0 },
    note: 'The page has a UINT32 output; the output must have the data type of the input.',
    asWritten: { outputTensor: { dataType: 'uint32', sizes: [2, 3] } },
  },
]);

export const scatterElements = examplesOf('scatterElements', 'ns-directml-dml_scatter_operator_desc.md', [
  {
    title: 'into a list, where the later of two updates wins',
    inputs: {
      inputTensor: tensor('float32', [5], [0, 1, 2, 3, 4]),
      indicesTensor: tensor('uint32', [4], [3, 1, 3, 0]),
      updatesTensor: tensor('float32', [4], [5, 6, 7, 8]),
    },
    outputs: { outputTensor: tensor('float32', [5], [8, 6, 2, 7, 4]) },
    fields: { axis: 0 },
  },
  {
    title: 'into each column',
    inputs: {
      inputTensor: tensor('float32', [3, 3], [0, 0, 0, 0, 0, 0, 0, 0, 0]),
      indicesTensor: tensor('uint32', [2, 3], [1, 0, 2, 0, 2, 1]),
      updatesTensor: tensor('float32', [2, 3], [10, 11, 12, 20, 21, 22]),
    },
    outputs: { outputTensor: tensor('float32', [3, 3], [20, 11, 0, 10, 0, 22, 0, 21, 12]) },
    fields: { axis: 0 },
    note: 'The page gives the input the sizes {2,3}, but nine values.',
    asWritten: { inputTensor: { dataType: 'float32', sizes: [2, 3] } },
  },
]);

const zeroOne = tensor('float32', [1, 1, 1, 2], [0, 1]);
const three = tensor('uint32', [1, 1, 3, 1], [0, 3, 2]);

export const oneHot = examplesOf('oneHot', 'ns-directml-dml_one_hot_operator_desc.md', [
  {
    title: 'along the rows',
    inputs: { indicesTensor: three, valuesTensor: zeroOne },
    outputs: { outputTensor: tensor('float32', [1, 1, 3, 4], [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0]) },
    fields: { axis: 3 },
  },
  {
    title: 'along the columns',
    inputs: { indicesTensor: tensor('uint32', [1, 1, 1, 4], [0, 2, 1, 0]), valuesTensor: zeroOne },
    outputs: { outputTensor: tensor('float32', [1, 1, 3, 4], [1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0]) },
    fields: { axis: 2 },
  },
  {
    title: 'with other values than 0 and 1',
    inputs: { indicesTensor: three, valuesTensor: tensor('float32', [1, 1, 3, 1], [4, 2, 9]) },
    outputs: { outputTensor: tensor('float32', [1, 1, 3, 4], [2, 4, 4, 4, 4, 4, 4, 2, 4, 4, 2, 4]) },
    fields: { axis: 3 },
  },
  {
    title: 'indices below 0 and out of range',
    inputs: { indicesTensor: tensor('int32', [1, 1, 3, 1], [-3, 100, 3]), valuesTensor: zeroOne },
    outputs: { outputTensor: tensor('float32', [1, 1, 3, 4], [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]) },
    fields: { axis: 3 },
  },
]);

const rows = tensor('float32', [1, 1, 3, 4], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);

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

export const ours = [
  own(
    'scatterElements',
    {
      inputTensor: floats(1, 2, 3, 4, 5),
      indicesTensor: tensor('uint32', [2], [3, 0]),
      updatesTensor: floats(9, 8),
    },
    { outputTensor: floats(8, 2, 3, 9, 5) },
    { axis: 0 },
  ),
];
