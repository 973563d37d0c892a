/** Truth values, comparisons and bits, element by element. */
import { binary, bytes, floats, unary } from './own.js';

const firsts = bytes(0, 0, 1, 1);
const seconds = bytes(0, 1, 0, 1);

export const logic = [
  binary('elementWiseLogicalAnd', firsts, seconds, bytes(0, 0, 0, 1)),
  binary('elementWiseLogicalOr', firsts, seconds, bytes(0, 1, 1, 1)),
  binary('elementWiseLogicalXor', firsts, seconds, bytes(0, 1, 1, 0)),
  unary('elementWiseLogicalNot', bytes(0, 1, 5), bytes(1, 0, 0)),
];

const rising = floats(1, 2, 3);
const level = floats(2, 2, 2);

export const comparisons = [
  binary('elementWiseLogicalEquals', rising, level, bytes(0, 1, 0)),
  binary('elementWiseLogicalGreaterThan', rising, level, bytes(0, 0, 1)),
  binary('elementWiseLogicalLessThan', rising, level, bytes(1, 0, 0)),
  binary('elementWiseLogicalGreaterThanOrEqual', rising, level, bytes(0, 1, 1)),
  binary('elementWiseLogicalLessThanOrEqual', rising, level, bytes(1, 1, 0)),
  unary('elementWiseIsNan', floats(1, NaN, Infinity), bytes(0, 1, 0)),
  unary('elementWiseIsInfinity', floats(1, Infinity, -Infinity), bytes(0, 1, 0), { infinityMode: 'positive' }),
];

export const bits = [
  binary('elementWiseBitAnd', bytes(0b1100, 0b1100), bytes(0b1010, 0b0011), bytes(0b1000, 0)),
  binary('elementWiseBitOr', bytes(0b1100, 0b1100), bytes(0b1010, 0b0011), bytes(0b1110, 0b1111)),
  binary('elementWiseBitShiftLeft', bytes(1, 1, 3), bytes(0, 4, 1), bytes(1, 16, 6)),
  binary('elementWiseBitShiftRight', bytes(128, 128, 7), bytes(1, 7, 1), bytes(64, 1, 3)),
];
