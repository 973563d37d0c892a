/** Worked examples of the scattering operators and of one-hot encoding. */
import { examplesOf, tensor } from '../example.js';

export const scatterElements = examplesOf('scatterElements', 'ns-directml-dml_scatter_operator_desc.md', [
  {
    title: 'into a list, where the later of two updates stays',
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
    note: 'The page has an input of the sizes {2,3}, with nine values.',
    asWritten: { inputTensor: { dataType: 'float32', sizes: [2, 3] } },
  },
]);

export const scatterNd = examplesOf('scatterNd', 'ns-directml-dml_scatter_nd_operator_desc.md', [
  {
    title: 'into a list',
    inputs: {
      inputTensor: tensor('float32', [1, 8], [1, 2, 3, 4, 5, 6, 7, 8]),
      indicesTensor: tensor('uint32', [4, 1], [4, 3, 1, 7]),
      updatesTensor: tensor('float32', [1, 4], [9, 10, 11, 12]),
    },
    outputs: { outputTensor: tensor('float32', [1, 8], [1, 11, 3, 10, 9, 6, 7, 12]) },
    fields: { inputDimensionCount: 1, indicesDimensionCount: 2 },
    note: 'The page has tensors of different dimension counts, and FLOAT32 indices.',
    asWritten: {
      inputTensor: { dataType: 'float32', sizes: [8] },
      indicesTensor: { dataType: 'float32', sizes: [4, 1] },
      updatesTensor: { dataType: 'float32', sizes: [4] },
      outputTensor: { dataType: 'float32', sizes: [8] },
    },
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
