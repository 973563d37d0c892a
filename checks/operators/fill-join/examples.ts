/** Examples of the operators that fill a tensor or join tensors. */
import { examplesOf, tensor } from '../../cases/example.js';

export const fillValueConstant = examplesOf('fillValueConstant', 'ns-directml-dml_fill_value_constant_operator_desc.md', [
  {
    title: 'the same value everywhere',
    inputs: {},
    outputs: { outputTensor: tensor('float32', [1, 1, 2, 4], [13, 13, 13, 13, 13, 13, 13, 13]) },
    fields: { valueDataType: 'float32', value: 13 },
  },
]);

const upToTwelve = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

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
