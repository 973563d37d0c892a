/** Examples of slices and splits. */
import { examplesOf, tensor } from '../../cases/example.js';

const sixteen = tensor('float32', [1, 1, 4, 4], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);

export const slice = examplesOf('slice', 'ns-directml-dml_slice_operator_desc.md', [
  {
    title: 'a block',
    inputs: { inputTensor: sixteen },
    outputs: { outputTensor: tensor('float32', [1, 1, 3, 2], [7, 8, 11, 12, 15, 16]) },
    fields: { offsets: [0, 0, 1, 2], sizes: [1, 1, 3, 2], strides: [1, 1, 1, 1] },
  },
  {
    title: 'with strides',
    inputs: { inputTensor: sixteen },
    outputs: { outputTensor: tensor('float32', [1, 1, 2, 2], [5, 8, 13, 16]) },
    fields: { offsets: [0, 0, 1, 0], sizes: [1, 1, 2, 2], strides: [1, 1, 2, 3] },
  },
]);

const window = { inputWindowOffsets: [0, 0, 0, 1], inputWindowSizes: [1, 1, 4, 3] };

export const slice1 = examplesOf('slice1', 'ns-directml-dml_slice1_operator_desc.md', [
  {
    title: 'with strides',
    inputs: { inputTensor: sixteen },
    outputs: { outputTensor: tensor('float32', [1, 1, 2, 2], [2, 4, 10, 12]) },
    fields: { ...window, inputWindowStrides: [1, 1, 2, 2] },
  },
  {
    title: 'with a negative stride',
    inputs: { inputTensor: sixteen },
    outputs: { outputTensor: tensor('float32', [1, 1, 2, 2], [14, 16, 6, 8]) },
    fields: { ...window, inputWindowStrides: [1, 1, -2, 2] },
  },
]);

const everyOther = { inputWindowOffsets: [0, 0], inputWindowSizes: [4, 4], inputWindowStrides: [2, 2] };
const LETTERS = 'The page shows letters; here they are the numbers 1 to 16.';

export const sliceGrad = examplesOf('sliceGrad', 'ns-directml-dml_slice_grad_operator_desc.md', [
  {
    type: 'slice1',
    title: 'the forward slice',
    inputs: { inputTensor: { ...sixteen, sizes: [4, 4] } },
    outputs: { outputTensor: tensor('float32', [2, 2], [1, 3, 9, 11]) },
    fields: everyOther,
    note: LETTERS,
  },
  {
    title: 'the gradient, with zeros for elements outside of the slice',
    inputs: { inputGradientTensor: tensor('float32', [2, 2], [1, 3, 9, 11]) },
    outputs: {
      outputGradientTensor: tensor('float32', [4, 4], [1, 0, 3, 0, 0, 0, 0, 0, 9, 0, 11, 0, 0, 0, 0, 0]),
    },
    fields: everyOther,
    note: LETTERS,
  },
]);

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
