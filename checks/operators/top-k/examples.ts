/** Examples of top-k. */
import { examplesOf, tensor, type PageEntry } from '../../cases/example.js';

const distinct = { inputTensor: tensor('float32', [1, 1, 3, 4], [0, 1, 10, 11, 3, 2, 9, 8, 4, 5, 6, 7]) };
const tied = { inputTensor: tensor('float32', [1, 1, 3, 4], [1, 2, 2, 3, 3, 4, 5, 5, 6, 6, 6, 6]) };

/** The examples of `topK`. For `topK1`, they have `axisDirection: 'decreasing'`. */
const largest: readonly PageEntry[] = [
  {
    title: 'the largest of each row',
    inputs: distinct,
    outputs: {
      outputValueTensor: tensor('float32', [1, 1, 3, 2], [11, 10, 9, 8, 7, 6]),
      outputIndexTensor: tensor('uint32', [1, 1, 3, 2], [3, 2, 2, 3, 3, 2]),
    },
    fields: { axis: 3, k: 2 },
  },
  {
    title: 'the largest of each column',
    inputs: distinct,
    outputs: {
      outputValueTensor: tensor('float32', [1, 1, 2, 4], [4, 5, 10, 11, 3, 2, 9, 8]),
      outputIndexTensor: tensor('uint32', [1, 1, 2, 4], [2, 2, 0, 0, 1, 1, 1, 1]),
    },
    fields: { axis: 2, k: 2 },
  },
  {
    title: 'equal values',
    inputs: tied,
    outputs: {
      outputValueTensor: tensor('float32', [1, 1, 3, 3], [3, 2, 2, 5, 5, 4, 6, 6, 6]),
      outputIndexTensor: tensor('uint32', [1, 1, 3, 3], [3, 1, 2, 2, 3, 1, 0, 1, 2]),
    },
    fields: { axis: 3, k: 3 },
  },
];

export const topK = examplesOf('topK', 'ns-directml-dml_top_k_operator_desc.md', largest);

export const topK1 = examplesOf('topK1', 'ns-directml-dml_top_k1_operator_desc.md', [
  ...largest.map((entry) => ({ ...entry, fields: { ...entry.fields, axisDirection: 'decreasing' } })),
  {
    title: 'the smallest of each row',
    inputs: tied,
    outputs: {
      outputValueTensor: tensor('float32', [1, 1, 3, 3], [1, 2, 2, 3, 4, 5, 6, 6, 6]),
      outputIndexTensor: tensor('uint32', [1, 1, 3, 3], [0, 1, 2, 0, 1, 2, 0, 1, 2]),
    },
    fields: { axis: 3, k: 3, axisDirection: 'increasing' },
  },
]);
