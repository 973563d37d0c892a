/** Element-wise arithmetic, rounding and functions. */
import { binary, bytes, floats, integers, own, roughly, unary } from './own.js';

const angles = floats(0, 1, 2);
const sines = floats(0, 0.5, 1);
const gradient = { inputTensor: floats(-3, 0.5, 9), inputGradientTensor: floats(10, 20, 30) };
const clipped = { outputGradientTensor: floats(0, 20, 0) };

export const arithmetic = [
  unary('elementWiseIdentity', floats(1, 2, 3), floats(3, 5, 7), { scaleBias: { scale: 2, bias: 1 } }),
  unary('elementWiseAbs', floats(-1.5, 0, 2), floats(1.5, 0, 2)),
  unary('elementWiseNegate', floats(1, -2, 3), floats(-1, 2, -3)),
  unary('elementWiseSign', floats(-2.5, 0, 7), floats(-1, 0, 1)),
  unary('elementWiseRecip', floats(1, 2, 4), floats(1, 0.5, 0.25)),
  binary('elementWiseAdd', floats(1, 2, 3), floats(10, 20, 30), floats(11, 22, 33)),
  binary('elementWiseAdd1', floats(1, 2, 3), floats(-2, 0, 2), floats(0, 2, 5), {
    fusedActivation: { type: 'activationRelu' },
  }),
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
  own(
    'elementWisePow',
    { inputTensor: floats(2, 3, 4), exponentTensor: floats(3, 2, 0.5) },
    { outputTensor: roughly(8, 9, 2) },
  ),
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
  binary('elementWiseAtanYx', floats(1, 1, -1), floats(1, -1, -1), roughly(0.7854, 2.3562, -2.3562)),
  unary('elementWiseSinh', angles, roughly(0, 1.1752, 3.6269)),
  unary('elementWiseCosh', angles, roughly(1, 1.5431, 3.7622)),
  unary('elementWiseTanh', angles, roughly(0, 0.7616, 0.964)),
  unary('elementWiseAsinh', angles, roughly(0, 0.8814, 1.4436)),
  unary('elementWiseAcosh', floats(1, 2, 3), roughly(0, 1.317, 1.7627)),
  unary('elementWiseAtanh', floats(0, 0.5, 0.9), roughly(0, 0.5493, 1.4722)),
];

/** -1, 0 and 2.6 as bytes of half a unit each, around 128. */
const scales = floats(0.5, 0.5, 0.5);
const zeroPoints = bytes(128, 128, 128);

export const quantization = [
  own(
    'elementWiseQuantizeLinear',
    { inputTensor: floats(-1, 0, 2.6), scaleTensor: scales, zeroPointTensor: zeroPoints },
    { outputTensor: bytes(126, 128, 133) },
  ),
  own(
    'elementWiseDequantizeLinear',
    { inputTensor: bytes(126, 128, 133), scaleTensor: scales, zeroPointTensor: zeroPoints },
    { outputTensor: floats(-1, 0, 2.5) },
  ),
  own(
    'elementWiseQuantizedLinearAdd',
    {
      aTensor: bytes(130, 128, 140),
      aScaleTensor: floats(0.5),
      aZeroPointTensor: bytes(128),
      bTensor: bytes(132, 126, 130),
      bScaleTensor: floats(0.5),
      bZeroPointTensor: bytes(128),
      outputScaleTensor: floats(1),
      outputZeroPointTensor: bytes(128),
    },
    { outputTensor: bytes(131, 127, 135) },
  ),
];
