/** Examples of diagonalMatrix, fillValueSequence and valueScale2d. */
import { examplesOf, tensor } from '../../cases/example.js';
import { floatTensor, unary } from '../../cases/own-example.js';

export const fillValueSequence = examplesOf('fillValueSequence', 'ns-directml-dml_fill_value_sequence_operator_desc.md', [
  {
    title: 'ascending',
    inputs: {},
    outputs: { outputTensor: tensor('float32', [1, 1, 1, 3], [3, 5, 7]) },
    fields: { valueDataType: 'float32', valueStart: 3, valueDelta: 2 },
  },
  {
    title: 'descending',
    inputs: {},
    outputs: { outputTensor: tensor('uint8', [1, 1, 2, 2], [10, 8, 6, 4]) },
    fields: { valueDataType: 'uint8', valueStart: 10, valueDelta: 254 },
    note: 'The page has the delta -2, which is 254 as UINT8.',
  },
]);

export const diagonalMatrix = examplesOf('diagonalMatrix', 'ns-directml-dml_diagonal_matrix_operator_desc.md', [
  {
    title: 'the identity matrix',
    inputs: {},
    outputs: { outputTensor: tensor('float32', [1, 1, 3, 3], [1, 0, 0, 0, 1, 0, 0, 0, 1]) },
    fields: { offset: 0, value: 1 },
  },
  {
    title: 'a diagonal above',
    inputs: {},
    outputs: { outputTensor: tensor('float32', [1, 1, 3, 3], [0, 1, 0, 0, 0, 1, 0, 0, 0]) },
    fields: { offset: 1, value: 1 },
  },
  {
    title: 'a diagonal below',
    inputs: {},
    outputs: { outputTensor: tensor('float32', [1, 1, 3, 2], [0, 0, 1, 0, 0, 1]) },
    fields: { offset: -1, value: 1 },
  },
  {
    title: 'a diagonal outside',
    inputs: {},
    outputs: { outputTensor: tensor('float32', [1, 1, 3, 2], [0, 0, 0, 0, 0, 0]) },
    fields: { offset: -3, value: 1 },
  },
]);

const matrix = (...rows: readonly (readonly number[])[]) => tensor('float32', [4, 5], rows.flat());
const filled = matrix([4, 7, 3, 7, 9], [1, 2, 8, 6, 9], [9, 4, 1, 8, 7], [4, 3, 4, 2, 4]);

export const diagonalMatrix1 = examplesOf('diagonalMatrix1', 'ns-directml-dml_diagonal_matrix1_operator_desc.md', [
  {
    title: 'a diagonal',
    inputs: {},
    outputs: { outputTensor: matrix([1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 1, 0]) },
    directml: { outputTensor: matrix([7, 0, 0, 0, 0], [0, 7, 0, 0, 0], [0, 0, 7, 0, 0], [0, 0, 0, 7, 0]) },
    fields: { valueDataType: 'float32', value: 7, diagonalFillBegin: 0, diagonalFillEnd: 1 },
  },
  {
    title: 'a strip of three diagonals',
    inputs: {},
    outputs: { outputTensor: matrix([7, 7, 7, 0, 0], [0, 7, 7, 7, 0], [0, 0, 7, 7, 7], [0, 0, 0, 7, 7]) },
    fields: { valueDataType: 'float32', value: 7, diagonalFillBegin: 0, diagonalFillEnd: 3 },
  },
  {
    title: 'the strictly upper triangle',
    inputs: { inputTensor: filled },
    outputs: { outputTensor: matrix([0, 7, 3, 7, 9], [0, 0, 8, 6, 9], [0, 0, 0, 8, 7], [0, 0, 0, 0, 4]) },
    fields: { valueDataType: 'float32', value: 0, diagonalFillBegin: -(2 ** 31), diagonalFillEnd: 1 },
  },
  {
    title: 'the diagonal alone',
    inputs: { inputTensor: filled },
    outputs: { outputTensor: matrix([4, 0, 0, 0, 0], [0, 2, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 2, 0]) },
    fields: { valueDataType: 'float32', value: 0, diagonalFillBegin: 1, diagonalFillEnd: 0 },
  },
]);

export const ours = [
  unary('valueScale2d', floatTensor([1, 3, 1, 2], 1, 2, 3, 4, 5, 6), floatTensor([1, 3, 1, 2], 12, 14, 26, 28, 40, 42), {
    scale: 2,
    bias: [10, 20, 30],
  }),
];
