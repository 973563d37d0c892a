/** Worked examples of element-wise operators, and of what looks at each element: the nonzero ones' coordinates. */
import { examplesOf, tensor } from '../example.js';

const bytes = tensor('uint8', [2, 2], [0, 128, 42, 255]);
const inverted = tensor('uint8', [2, 2], [255, 127, 213, 0]);

export const elementWiseBitNot = examplesOf('elementWiseBitNot', 'ns-directml-dml_element_wise_bit_not_operator_desc.md', [
  {
    title: 'bytes',
    inputs: { inputTensor: bytes },
    outputs: { outputTensor: inverted },
  },
]);

export const elementWiseBitXor = examplesOf('elementWiseBitXor', 'ns-directml-dml_element_wise_bit_xor_operator_desc.md', [
  {
    title: 'bytes with all bits set',
    inputs: { aTensor: bytes, bTensor: tensor('uint8', [2, 2], [255, 255, 255, 255]) },
    outputs: { outputTensor: inverted },
    note: 'The page repeats the example of BIT_NOT and has one input; the other is the one that gives this output.',
  },
]);

export const elementWiseBitCount = examplesOf(
  'elementWiseBitCount',
  'ns-directml-dml_element_wise_bit_count_operator_desc.md',
  [
    {
      title: 'of four numbers',
      inputs: { inputTensor: tensor('uint32', [2, 2], [0, 123, 456, 789]) },
      outputs: { outputTensor: tensor('uint32', [2, 2], [0, 6, 4, 5]) },
    },
  ],
);

export const elementWiseIf = examplesOf('elementWiseIf', 'ns-directml-dml_element_wise_if_operator_desc.md', [
  {
    title: 'one of two elements',
    inputs: {
      conditionTensor: tensor('uint8', [2, 2], [1, 0, 1, 1]),
      aTensor: tensor('float32', [2, 2], [1, 2, 3, 4]),
      bTensor: tensor('float32', [2, 2], [9, 8, 7, 6]),
    },
    outputs: { outputTensor: tensor('float32', [2, 2], [1, 8, 3, 4]) },
    note: 'The page gives no data types.',
  },
]);

const halves = { inputTensor: tensor('float32', [9], [-2.5, -1.75, -1.5, -1.25, 0, 1.25, 1.5, 1.75, 2.5]) };
const integers = (...values: readonly number[]) => ({ outputTensor: tensor('float32', [9], values) });

export const elementWiseRound = examplesOf('elementWiseRound', 'ne-directml-dml_rounding_mode.md', [
  {
    title: 'halves to the nearest even integer',
    inputs: halves,
    outputs: integers(-2, -2, -2, -1, 0, 1, 2, 2, 2),
    fields: { roundingMode: 'halvesToNearestEven' },
  },
  {
    title: 'toward zero',
    inputs: halves,
    outputs: integers(-2, -1, -1, -1, 0, 1, 1, 1, 2),
    fields: { roundingMode: 'towardZero' },
  },
  {
    title: 'halves away from zero',
    inputs: halves,
    outputs: integers(-3, -2, -2, -1, 0, 1, 2, 2, 3),
    fields: { roundingMode: 'towardInfinity' },
  },
]);

const UNDEFINED_ROW = [null, null, null];

export const nonzeroCoordinates = examplesOf('nonzeroCoordinates', 'ns-directml-dml_nonzero_coordinates_operator_desc.md', [
  {
    title: 'in row-major order',
    inputs: { inputTensor: tensor('float32', [2, 6], [0, 0, 0, 0, 0, 1, 1, 0, 1, 0, 0, 0]) },
    outputs: {
      outputCountTensor: tensor('uint32', [1, 1], [3]),
      outputCoordinatesTensor: tensor('uint32', [12, 2], [
        ...[0, 5, 1, 0, 1, 2],
        ...new Array<null>(18).fill(null),
      ]),
    },
    note: 'The page lists three coordinates; the sizes are ours.',
  },
  {
    title: 'with coordinates of three dimensions',
    inputs: { inputTensor: tensor('float32', [1, 1, 2, 4], [1, 0, 0, 2, -0, 3.5, 0, -5.2]) },
    outputs: {
      outputCountTensor: tensor('uint32', [1, 1, 1, 1], [4]),
      outputCoordinatesTensor: tensor('uint32', [1, 1, 8, 3], [
        ...[0, 0, 0, 0, 0, 3, 0, 1, 1, 0, 1, 3],
        ...[...UNDEFINED_ROW, ...UNDEFINED_ROW, ...UNDEFINED_ROW, ...UNDEFINED_ROW],
      ]),
    },
  },
]);
