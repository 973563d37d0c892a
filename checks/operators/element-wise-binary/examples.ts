/** Examples of the element-wise operators on two or three tensors. */
import { examplesOf, tensor } from '../../cases/example.js';
import { binary, bytes, floats, integers, own, roughly } from '../../cases/own-example.js';

export const elementWiseBitXor = examplesOf('elementWiseBitXor', 'ns-directml-dml_element_wise_bit_xor_operator_desc.md', [
  {
    title: 'bytes with all bits set',
    inputs: { aTensor: tensor('uint8', [2, 2], [0, 128, 42, 255]), bTensor: tensor('uint8', [2, 2], [255, 255, 255, 255]) },
    outputs: { outputTensor: tensor('uint8', [2, 2], [255, 127, 213, 0]) },
    note: 'The page repeats the BIT_NOT example with one input; we chose the other input to give this output.',
  },
]);

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

export const arithmetic = [
  binary('elementWiseAdd', floats(1, 2, 3), floats(10, 20, 30), floats(11, 22, 33)),
  binary('elementWiseSubtract', floats(10, 20, 30), floats(1, 2, 3), floats(9, 18, 27)),
  binary('elementWiseMultiply', floats(1, 2, 3), floats(4, 5, 6), floats(4, 10, 18)),
  binary('elementWiseDivide', integers(7, -7, 9), integers(2, 2, 3), integers(3, -3, 3)),
  binary('elementWiseModulusTruncate', integers(7, -7, 7), integers(3, 3, -3), integers(1, -1, 1)),
  binary('elementWiseModulusFloor', integers(7, -7, 7), integers(3, 3, -3), integers(1, 2, -2)),
  binary('elementWiseMax', floats(1, 5, 3), floats(4, 2, 3), floats(4, 5, 3)),
  binary('elementWiseMin', floats(1, 5, 3), floats(4, 2, 3), floats(1, 2, 3)),
  binary('elementWiseMean', floats(1, 5, 3), floats(4, 2, 3), floats(2.5, 3.5, 3)),
  binary('elementWiseDifferenceSquare', floats(1, 5, 3), floats(4, 2, 3), floats(9, 9, 0)),
];

export const functions = [
  own('elementWisePow', { inputTensor: floats(2, 3, 4), exponentTensor: floats(3, 2, 0.5) }, { outputTensor: roughly(8, 9, 2) }),
  binary('elementWiseAtanYx', floats(1, 1, -1), floats(1, -1, -1), roughly(0.7854, 2.3562, -2.3562)),
];

const firsts = bytes(0, 0, 1, 1);
const seconds = bytes(0, 1, 0, 1);

export const logic = [
  binary('elementWiseLogicalAnd', firsts, seconds, bytes(0, 0, 0, 1)),
  binary('elementWiseLogicalOr', firsts, seconds, bytes(0, 1, 1, 1)),
  binary('elementWiseLogicalXor', firsts, seconds, bytes(0, 1, 1, 0)),
];

const rising = floats(1, 2, 3);
const level = floats(2, 2, 2);

export const comparisons = [
  binary('elementWiseLogicalEquals', rising, level, bytes(0, 1, 0)),
  binary('elementWiseLogicalGreaterThan', rising, level, bytes(0, 0, 1)),
  binary('elementWiseLogicalLessThan', rising, level, bytes(1, 0, 0)),
  binary('elementWiseLogicalGreaterThanOrEqual', rising, level, bytes(0, 1, 1)),
  binary('elementWiseLogicalLessThanOrEqual', rising, level, bytes(1, 1, 0)),
];

export const bits = [
  binary('elementWiseBitAnd', bytes(0b1100, 0b1100), bytes(0b1010, 0b0011), bytes(0b1000, 0)),
  binary('elementWiseBitOr', bytes(0b1100, 0b1100), bytes(0b1010, 0b0011), bytes(0b1110, 0b1111)),
  binary('elementWiseBitShiftLeft', bytes(1, 1, 3), bytes(0, 4, 1), bytes(1, 16, 6)),
  binary('elementWiseBitShiftRight', bytes(128, 128, 7), bytes(1, 7, 1), bytes(64, 1, 3)),
];
