/** Examples of the cumulative sums and products. */
import { examplesOf, tensor } from '../../cases/example.js';

const inputs = { inputTensor: tensor('float32', [1, 1, 3, 4], [2, 1, 3, 5, 3, 8, 7, 3, 9, 6, 2, 4]) };
const outputs = (values: readonly number[]) => ({ outputTensor: tensor('float32', [1, 1, 3, 4], values) });

export const cumulativeSummation = examplesOf('cumulativeSummation', 'ns-directml-dml_cumulative_summation_operator_desc.md', [
  {
    title: 'along the rows',
    inputs,
    outputs: outputs([2, 3, 6, 11, 3, 11, 18, 21, 9, 15, 17, 21]),
    fields: { axis: 3, axisDirection: 'increasing', hasExclusiveSum: false },
  },
  {
    title: 'exclusive sums',
    inputs,
    outputs: outputs([0, 2, 3, 6, 0, 3, 11, 18, 0, 9, 15, 17]),
    fields: { axis: 3, axisDirection: 'increasing', hasExclusiveSum: true },
  },
  {
    title: 'from the end',
    inputs,
    outputs: outputs([11, 9, 8, 5, 21, 18, 10, 3, 21, 12, 6, 4]),
    fields: { axis: 3, axisDirection: 'decreasing', hasExclusiveSum: false },
  },
  {
    title: 'along the columns',
    inputs,
    outputs: outputs([2, 1, 3, 5, 5, 9, 10, 8, 14, 15, 12, 12]),
    fields: { axis: 2, axisDirection: 'increasing', hasExclusiveSum: false },
  },
]);

export const cumulativeProduct = examplesOf('cumulativeProduct', 'ns-directml-dml_cumulative_product_operator_desc.md', [
  {
    title: 'along the rows',
    inputs,
    outputs: outputs([2, 2, 6, 30, 3, 24, 168, 504, 9, 54, 108, 432]),
    fields: { axis: 3, axisDirection: 'increasing', hasExclusiveProduct: false },
  },
  {
    title: 'exclusive products',
    inputs,
    outputs: outputs([1, 2, 2, 6, 1, 3, 24, 168, 1, 9, 54, 108]),
    fields: { axis: 3, axisDirection: 'increasing', hasExclusiveProduct: true },
  },
  {
    title: 'from the end',
    inputs,
    outputs: outputs([30, 15, 15, 5, 504, 168, 21, 3, 432, 48, 8, 4]),
    fields: { axis: 3, axisDirection: 'decreasing', hasExclusiveProduct: false },
  },
  {
    title: 'along the columns',
    inputs,
    outputs: outputs([2, 1, 3, 5, 6, 8, 21, 15, 54, 48, 42, 60]),
    fields: { axis: 2, axisDirection: 'increasing', hasExclusiveProduct: false },
  },
]);
