/** Examples of the element-wise operators on one tensor. */
import { examplesOf, tensor } from '../../cases/example.js';
import { bytes, floats, integers, own, roughly, unary } from '../../cases/own-example.js';

const fourBytes = tensor('uint8', [2, 2], [0, 128, 42, 255]);
const inverted = tensor('uint8', [2, 2], [255, 127, 213, 0]);

export const elementWiseBitNot = examplesOf('elementWiseBitNot', 'ns-directml-dml_element_wise_bit_not_operator_desc.md', [
  {
    title: 'bytes',
    inputs: { inputTensor: fourBytes },
    outputs: { outputTensor: inverted },
  },
]);

export const elementWiseBitCount = examplesOf('elementWiseBitCount', 'ns-directml-dml_element_wise_bit_count_operator_desc.md', [
  {
    title: 'of four numbers',
    inputs: { inputTensor: tensor('uint32', [2, 2], [0, 123, 456, 789]) },
    outputs: { outputTensor: tensor('uint32', [2, 2], [0, 6, 4, 5]) },
  },
]);

const halves = { inputTensor: tensor('float32', [9], [-2.5, -1.75, -1.5, -1.25, 0, 1.25, 1.5, 1.75, 2.5]) };
const toIntegers = (...values: readonly number[]) => ({ outputTensor: tensor('float32', [9], values) });

export const elementWiseRound = examplesOf('elementWiseRound', 'ne-directml-dml_rounding_mode.md', [
  {
    title: 'halves to the nearest even integer',
    inputs: halves,
    outputs: toIntegers(-2, -2, -2, -1, 0, 1, 2, 2, 2),
    fields: { roundingMode: 'halvesToNearestEven' },
  },
  {
    title: 'toward zero',
    inputs: halves,
    outputs: toIntegers(-2, -1, -1, -1, 0, 1, 1, 1, 2),
    fields: { roundingMode: 'towardZero' },
  },
  {
    title: 'halves away from zero',
    inputs: halves,
    outputs: toIntegers(-3, -2, -2, -1, 0, 1, 2, 2, 3),
    fields: { roundingMode: 'towardInfinity' },
  },
]);

const angles = floats(0, 1, 2);
const sines = floats(0, 0.5, 1);
const gradient = { inputTensor: floats(-3, 0.5, 9), inputGradientTensor: floats(10, 20, 30) };
const clipped = { outputGradientTensor: floats(0, 20, 0) };

export const arithmetic = [
  unary('elementWiseAbs', floats(-1.5, 0, 2), floats(1.5, 0, 2)),
  unary('elementWiseNegate', floats(1, -2, 3), floats(-1, 2, -3)),
  unary('elementWiseSign', floats(-2.5, 0, 7), floats(-1, 0, 1)),
  unary('elementWiseRecip', floats(1, 2, 4), floats(1, 0.5, 0.25)),
];

export const rounding = [
  unary('elementWiseCeil', floats(-1.5, 0.2, 2), floats(-1, 1, 2)),
  unary('elementWiseFloor', floats(-1.5, 0.2, 2), floats(-2, 0, 2)),
  unary('elementWiseClip', floats(-3, 0.5, 9), floats(0, 0.5, 1), { min: 0, max: 1 }),
  unary('elementWiseClip1', integers(-3, 4, 9), integers(0, 4, 5), { minMaxDataType: 'int32', min: 0, max: 5 }),
  own('elementWiseClipGrad', gradient, clipped, { min: 0, max: 1 }),
  own('elementWiseClipGrad1', gradient, clipped, { minMaxDataType: 'float32', min: 0, max: 1 }),
  unary('elementWiseThreshold', floats(-3, 0.5, 9), floats(1, 1, 9), { min: 1 }),
];

export const functions = [
  unary('elementWiseSqrt', floats(1, 4, 9), roughly(1, 2, 3)),
  unary('elementWiseExp', floats(0, 1, 2), roughly(1, 2.7183, 7.3891)),
  unary('elementWiseLog', floats(1, 2, 10), roughly(0, 0.6931, 2.3026)),
  unary('elementWiseConstantPow', floats(1, 2, 3), roughly(1, 4, 9), { exponent: 2 }),
  unary('elementWiseErf', sines, roughly(0, 0.5205, 0.8427)),
];

export const trigonometry = [
  unary('elementWiseSin', angles, roughly(0, 0.8415, 0.9093)),
  unary('elementWiseCos', angles, roughly(1, 0.5403, -0.4161)),
  unary('elementWiseTan', sines, roughly(0, 0.5463, 1.5574)),
  unary('elementWiseAsin', sines, roughly(0, 0.5236, 1.5708)),
  unary('elementWiseAcos', sines, roughly(1.5708, 1.0472, 0)),
  unary('elementWiseAtan', floats(0, 1, 10), roughly(0, 0.7854, 1.4711)),
  unary('elementWiseSinh', angles, roughly(0, 1.1752, 3.6269)),
  unary('elementWiseCosh', angles, roughly(1, 1.5431, 3.7622)),
  unary('elementWiseTanh', angles, roughly(0, 0.7616, 0.964)),
  unary('elementWiseAsinh', angles, roughly(0, 0.8814, 1.4436)),
  unary('elementWiseAcosh', floats(1, 2, 3), roughly(0, 1.317, 1.7627)),
  unary('elementWiseAtanh', floats(0, 0.5, 0.9), roughly(0, 0.5493, 1.4722)),
];

export const queries = [
  unary('elementWiseLogicalNot', bytes(0, 1, 5), bytes(1, 0, 0)),
  unary('elementWiseIsNan', floats(1, NaN, Infinity), bytes(0, 1, 0)),
  unary('elementWiseIsInfinity', floats(1, Infinity, -Infinity), bytes(0, 1, 0), { infinityMode: 'positive' }),
];
