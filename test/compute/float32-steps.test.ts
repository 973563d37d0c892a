/**
 * Results that show the order of DirectML's computation: each step rounds to float32 and may overflow it, and at a tie the
 * last bit decides between two quantized values. On Windows the real DirectML computes them, too.
 */
import { describe, expect, it } from 'vitest';
import { tensor, type ExampleTensor } from '../../checks/cases/example.js';
import { own } from '../../checks/cases/own-example.js';
import { runExample } from '../../checks/conformance/run-example.js';
import { backends, deviceOn } from '../support/devices.js';

const one = (value: number): ExampleTensor => tensor('float32', [1], [value]);
const scale = (value: number, rank = 4): ExampleTensor => tensor('float32', new Array<number>(rank).fill(1), [value]);
const int8 = (sizes: readonly number[], ...values: readonly number[]): ExampleTensor => tensor('int8', sizes, values);

const window = { strides: [1, 1], dilations: [1, 1], startPadding: [0, 0], endPadding: [0, 0] };

const matrixProduct = (a: ExampleTensor, b: ExampleTensor, scales: readonly [number, number, number], level: number) =>
  own(
    'quantizedLinearMatrixMultiply',
    { aTensor: a, aScaleTensor: one(scales[0]), bTensor: b, bScaleTensor: one(scales[1]), outputScaleTensor: one(scales[2]) },
    { outputTensor: int8([1, 1], level) },
  );

const adamOfMoment = (moment: number, gradient: number, firstMoment: number) =>
  own(
    'adamOptimizer',
    {
      ...{ inputParametersTensor: one(0), inputFirstMomentTensor: one(moment), inputSecondMomentTensor: one(1) },
      ...{ gradientTensor: one(gradient), trainingStepTensor: tensor('uint32', [1], [0]) },
    },
    {
      outputParametersTensor: tensor('float32', [1], null),
      outputFirstMomentTensor: one(firstMoment),
      outputSecondMomentTensor: tensor('float32', [1], null),
    },
    { learningRate: 0, beta1: 0.5, beta2: 0.5, epsilon: 1 },
  );

const halves = (...values: readonly number[]): ExampleTensor => tensor('float16', [values.length, 1], values);

const floats = (...values: readonly number[]): ExampleTensor => tensor('float32', [values.length], values);

const examples = {
  'a modulus takes the neighbour of the rounded quotient': own(
    'elementWiseModulusTruncate',
    { aTensor: floats(1347.8453369140625, 3e38, 7.5), bTensor: floats(-0.0004847634118050337, 1, -2) },
    { outputTensor: floats(-0.0001220703125, -(2 ** 104), 1.5) },
  ),
  'a modulus with floor takes the neighbour above': own(
    'elementWiseModulusFloor',
    { aTensor: floats(1983.926513671875, -3e38, 7.5), bTensor: floats(-0.000556721119210124, 1, -2) },
    { outputTensor: floats(0.0001220703125, -(2 ** 104), -0.5) },
  ),
  'asinh of large negative numbers cancels': own(
    'elementWiseAsinh',
    { inputTensor: floats(-300, -10000, 0) },
    { outputTensor: floats(-6.389874458312988, -Infinity, 0) },
  ),
  'dynamicQuantizeLinear multiplies by the rounded 1 / scale': own(
    'dynamicQuantizeLinear',
    { inputTensor: tensor('float32', [6], [0, 2, -3, -2.5, 1.34, 0.5]) },
    {
      outputTensor: tensor('uint8', [6], [153, 255, 0, 25, 221, 179]),
      outputScaleTensor: one(Math.fround(5 * Math.fround(1 / 255))),
      outputZeroPointTensor: tensor('uint8', [1], [153]),
    },
  ),
  'quantizedLinearAveragePooling sums scaled elements': own(
    'quantizedLinearAveragePooling',
    {
      inputTensor: int8([1, 1, 2, 2], 8, -2, -3, -5),
      inputScaleTensor: scale(0.571),
      outputScaleTensor: scale(0.571),
    },
    { outputTensor: int8([1, 1, 1, 1], -1) },
    { ...window, windowSize: [2, 2], includePadding: false },
  ),
  'quantizedLinearMatrixMultiply multiplies the sum by one factor': matrixProduct(
    int8([1, 1], 1),
    int8([1, 1], -63),
    [0.004, 0.028, 0.0002240000176],
    -31,
  ),
  'quantizedLinearMatrixMultiply takes 0 times an infinite scale for 0': matrixProduct(
    int8([1, 2], 0, 2),
    int8([2, 1], 1, 1),
    [Infinity, 1, 1],
    127,
  ),
  'quantizedLinearConvolution multiplies the sum by one factor': own(
    'quantizedLinearConvolution',
    {
      ...{ inputTensor: int8([1, 1, 1, 1], 1), inputScaleTensor: scale(0.074) },
      ...{ filterTensor: int8([1, 1, 1, 1], -61), filterScaleTensor: scale(0.06), outputScaleTensor: scale(0.00888) },
    },
    { outputTensor: int8([1, 1, 1, 1], -30) },
    { ...window, groupCount: 1 },
  ),
  'quantizedLinearConvolution adds the bias in INT32, which wraps': own(
    'quantizedLinearConvolution',
    {
      ...{ inputTensor: int8([1, 1, 1, 1], 1), inputScaleTensor: scale(1) },
      ...{ filterTensor: int8([1, 1, 1, 1], 1), filterScaleTensor: scale(1), outputScaleTensor: scale(2 ** 25) },
      biasTensor: tensor('int32', [1, 1, 1, 1], [2 ** 31 - 1]),
    },
    { outputTensor: int8([1, 1, 1, 1], -64) },
    { ...window, groupCount: 1 },
  ),
  'matrixMultiplyIntegerToFloat sums dequantized products, which overflow': own(
    'matrixMultiplyIntegerToFloat',
    {
      ...{ aTensor: int8([1, 3], 3, 3, -3), aScaleTensor: one(1e38) },
      ...{ bTensor: int8([3, 1], 1, 1, 1), bScaleTensor: one(1) },
    },
    { outputTensor: tensor('float32', [1, 1], [Infinity]) },
  ),
  'matrixMultiplyIntegerToFloat makes float16 of integers without a zero point': own(
    'matrixMultiplyIntegerToFloat',
    {
      ...{ aTensor: tensor('int32', [2, 1], [1_000_000, 2049]), aScaleTensor: halves(0.25) },
      ...{ bTensor: int8([1, 1], 1), bScaleTensor: halves(1) },
    },
    { outputTensor: halves(16376, 512) },
  ),
  'matrixMultiplyIntegerToFloat subtracts a zero point in float32': own(
    'matrixMultiplyIntegerToFloat',
    {
      ...{
        aTensor: tensor('int32', [1, 1], [100_001]),
        aScaleTensor: halves(0.5),
        aZeroPointTensor: tensor('int32', [1, 1], [1]),
      },
      ...{ bTensor: int8([1, 1], 1), bScaleTensor: halves(1) },
    },
    { outputTensor: halves(49984) },
  ),
  'quantize gives NaN the lowest level': own(
    'quantize',
    { inputTensor: tensor('float32', [2], [NaN, 1]), quantizationTensors: [one(1), int8([1], 5)] },
    { outputTensor: int8([2], -128, 6) },
    { quantizationType: 'scaleZeroPoint' },
  ),
  'adamOptimizer steps from an infinite moment': adamOfMoment(Infinity, 1, NaN),
  'adamOptimizer steps across more than float32 holds': adamOfMoment(3e38, -3e38, -Infinity),
  'elementWisePow of integers by negative integers': own(
    'elementWisePow',
    {
      inputTensor: tensor('int32', [7], [-1, -1, -1, -1, 1, 2, 0]),
      exponentTensor: tensor('int32', [7], [-1, -2, -3, -4, -5, -1, -1]),
    },
    { outputTensor: tensor('int32', [7], [-1, 1, -1, 1, 1, 0, 0]) },
  ),
};

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  it.each(Object.entries(examples))('%s', async (title, example) => {
    expect(await runExample(device(), { page: '', title, ...example })).toBeNull();
  });
});
