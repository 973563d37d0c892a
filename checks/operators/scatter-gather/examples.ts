/** Examples of gather, gatherNd and scatterNd. */
import { examplesOf, tensor } from '../../cases/example.js';

export const gather = examplesOf('gather', 'ns-directml-dml_gather_operator_desc.md', [
  {
    title: 'elements of a list',
    inputs: {
      inputTensor: tensor('float32', [4], [11, 12, 13, 14]),
      indicesTensor: tensor('uint32', [5], [3, 1, 3, 0, 2]),
    },
    outputs: { outputTensor: tensor('float32', [5], [14, 12, 14, 11, 13]) },
    fields: { axis: 0, indexDimensions: 1 },
  },
  {
    title: 'rows',
    inputs: {
      inputTensor: tensor('float32', [3, 2], [1, 2, 3, 4, 5, 6]),
      indicesTensor: tensor('uint32', [1, 4], [0, 1, 1, 2]),
    },
    outputs: { outputTensor: tensor('float32', [4, 2], [1, 2, 3, 4, 3, 4, 5, 6]) },
    fields: { axis: 0, indexDimensions: 1 },
  },
  {
    title: 'columns, swapped',
    inputs: {
      inputTensor: tensor('float32', [3, 2], [1, 2, 3, 4, 5, 6]),
      indicesTensor: tensor('uint32', [1, 2], [1, 0]),
    },
    outputs: { outputTensor: tensor('float32', [3, 2], [2, 1, 4, 3, 6, 5]) },
    fields: { axis: 1, indexDimensions: 1 },
    note: 'The page has 2 index dimensions, for which the output would need three dimensions.',
    asWritten: { indexDimensions: 2 },
  },
  {
    title: 'columns by nested indices',
    inputs: {
      inputTensor: tensor('float32', [1, 3, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9]),
      indicesTensor: tensor('uint32', [1, 1, 2], [0, 2]),
    },
    outputs: { outputTensor: tensor('float32', [3, 1, 2], [1, 3, 4, 6, 7, 9]) },
    fields: { axis: 2, indexDimensions: 2 },
  },
  {
    title: 'rows by nested indices',
    inputs: {
      inputTensor: tensor('float32', [1, 3, 2], [1, 2, 3, 4, 5, 6]),
      indicesTensor: tensor('uint32', [1, 2, 2], [0, 1, 1, 2]),
    },
    outputs: { outputTensor: tensor('float32', [2, 2, 2], [1, 2, 3, 4, 3, 4, 5, 6]) },
    fields: { axis: 1, indexDimensions: 2 },
  },
]);

const rows = {
  title: 'rows, swapped',
  inputs: {
    inputTensor: tensor('float32', [2, 2], [0, 1, 2, 3]),
    indicesTensor: tensor('uint32', [2, 1], [1, 0]),
  },
  outputs: { outputTensor: tensor('float32', [2, 2], [2, 3, 0, 1]) },
};

export const gatherNd = examplesOf('gatherNd', 'ns-directml-dml_gather_nd_operator_desc.md', [
  { ...rows, fields: { inputDimensionCount: 2, indicesDimensionCount: 2 } },
  {
    title: 'rows by tuples of two coordinates',
    inputs: {
      inputTensor: tensor('float32', [1, 2, 2, 2], [0, 1, 2, 3, 4, 5, 6, 7]),
      indicesTensor: tensor('uint32', [1, 1, 2, 2], [0, 1, 1, 0]),
    },
    outputs: { outputTensor: tensor('float32', [1, 1, 2, 2], [2, 3, 4, 5]) },
    fields: { inputDimensionCount: 3, indicesDimensionCount: 2 },
  },
]);

export const gatherNd1 = examplesOf('gatherNd1', 'ns-directml-dml_gather_nd1_operator_desc.md', [
  { ...rows, fields: { inputDimensionCount: 2, indicesDimensionCount: 2, batchDimensionCount: 0 } },
  {
    title: 'elements of three batches',
    inputs: {
      inputTensor: tensor('float32', [1, 3, 2, 2], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
      indicesTensor: tensor('uint32', [1, 3, 2, 2], [0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0]),
    },
    outputs: { outputTensor: tensor('float32', [1, 1, 3, 2], [0, 3, 7, 4, 9, 10]) },
    fields: { inputDimensionCount: 3, indicesDimensionCount: 3, batchDimensionCount: 1 },
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
