/** Examples of the reductions. */
import { examplesOf, tensor } from '../../cases/example.js';

const extremes = tensor('float32', [3, 3], [1, 2, 3, 3, 0, 4, 2, 5, 2]);
const mountain = tensor('float32', [1, 5], [1, 2, 3, 2, 1]);
const valley = tensor('float32', [1, 5], [3, 2, 1, 2, 3]);
const INLINE = 'The page gives a list of values; the axes and data types are ours.';

export const argmin = examplesOf('argmin', 'ns-directml-dml_argmin_operator_desc.md', [
  {
    title: 'the first of two minima',
    inputs: { inputTensor: mountain },
    outputs: { outputTensor: tensor('uint32', [1, 1], [0]) },
    fields: { axes: [1], axisDirection: 'increasing' },
    note: INLINE,
  },
  {
    title: 'the last of two minima',
    inputs: { inputTensor: mountain },
    outputs: { outputTensor: tensor('uint32', [1, 1], [4]) },
    fields: { axes: [1], axisDirection: 'decreasing' },
    note: INLINE,
  },
  {
    title: 'of each column',
    inputs: { inputTensor: extremes },
    outputs: { outputTensor: tensor('uint32', [1, 3], [0, 1, 2]) },
    fields: { axes: [0], axisDirection: 'increasing' },
  },
  {
    title: 'of each row',
    inputs: { inputTensor: extremes },
    outputs: { outputTensor: tensor('uint32', [3, 1], [0, 1, 0]) },
    fields: { axes: [1], axisDirection: 'increasing' },
  },
  {
    title: 'of the whole tensor',
    inputs: { inputTensor: extremes },
    outputs: { outputTensor: tensor('uint32', [1, 1], [4]) },
    fields: { axes: [0, 1], axisDirection: 'increasing' },
  },
]);

export const argmax = examplesOf('argmax', 'ns-directml-dml_argmax_operator_desc.md', [
  {
    title: 'the first of two maxima',
    inputs: { inputTensor: valley },
    outputs: { outputTensor: tensor('uint32', [1, 1], [0]) },
    fields: { axes: [1], axisDirection: 'increasing' },
    note: INLINE,
  },
  {
    title: 'the last of two maxima',
    inputs: { inputTensor: valley },
    outputs: { outputTensor: tensor('uint32', [1, 1], [4]) },
    fields: { axes: [1], axisDirection: 'decreasing' },
    note: INLINE,
  },
  {
    title: 'of each column',
    inputs: { inputTensor: extremes },
    outputs: { outputTensor: tensor('uint32', [1, 3], [1, 2, 1]) },
    fields: { axes: [0], axisDirection: 'increasing' },
  },
  {
    title: 'of each row',
    inputs: { inputTensor: extremes },
    outputs: { outputTensor: tensor('uint32', [3, 1], [2, 2, 1]) },
    fields: { axes: [1], axisDirection: 'increasing' },
  },
  {
    title: 'of the whole tensor',
    inputs: { inputTensor: extremes },
    outputs: { outputTensor: tensor('uint32', [1, 1], [7]) },
    fields: { axes: [0, 1], axisDirection: 'increasing' },
  },
]);

const summands = tensor('float32', [3, 3], [1, 2, 3, 3, 0, 4, 2, 4, 2]);

export const reduce = examplesOf('reduce', 'ns-directml-dml_reduce_operator_desc.md', [
  {
    title: 'the sum of each column',
    inputs: { inputTensor: summands },
    outputs: { outputTensor: tensor('float32', [1, 3], [6, 6, 9]) },
    fields: { function: 'sum', axes: [0] },
  },
  {
    title: 'the sum of each row',
    inputs: { inputTensor: summands },
    outputs: { outputTensor: tensor('float32', [3, 1], [6, 7, 8]) },
    fields: { function: 'sum', axes: [1] },
  },
  {
    title: 'the sum of the whole tensor',
    inputs: { inputTensor: summands },
    outputs: { outputTensor: tensor('float32', [1, 1], [21]) },
    fields: { function: 'sum', axes: [0, 1] },
  },
]);
