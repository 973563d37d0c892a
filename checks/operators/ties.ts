/**
 * Numbers halfway between two results, and equal numbers where one of them wins. Random cases hit them by chance only, and then
 * often where both ways of breaking a tie agree. Signs of zeros among the results are not compared.
 */
import type { DataType, OperatorType, TensorDesc } from 'node-directml';
import { float16ToBits } from '#lib/tensors/float16.js';
import { minimumTensorSizeInBytes } from '#lib/tensors/tensor-size.js';
import { base64, type ConformanceCase, type WholeDescriptor } from '../cases/case.js';

type Cases = Readonly<Partial<Record<OperatorType, () => ConformanceCase[]>>>;
/** An input: its data type, its elements and, unless it has one dimension, its sizes. */
type Input = readonly [dataType: DataType, elements: readonly number[], sizes?: readonly number[]];

const HALVES = [0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 3.5, -3.5, 126.5, 127.5, -127.5, -128.5, 253.5, 254.5, 255.5, -129.5];
/** Of equal largest and equal smallest elements, both the first and the last one are among others. */
const EQUALS = [2, 3, 1, 3, 1, 3, 2, 1];
const FLOATS = ['float32', 'float16'] as const;
const BYTES = ['uint8', 'int8'] as const;

const writers = {
  float32: (values: readonly number[]) => Float32Array.from(values),
  float16: (values: readonly number[]) => Uint16Array.from(values, float16ToBits),
  int32: (values: readonly number[]) => Int32Array.from(values),
  uint32: (values: readonly number[]) => Uint32Array.from(values),
  int8: (values: readonly number[]) => Int8Array.from(values),
  uint8: (values: readonly number[]) => Uint8Array.from(values),
};

export const ties: Cases = {
  elementWiseRound: () =>
    (['halvesToNearestEven', 'towardZero', 'towardInfinity'] as const).flatMap((roundingMode) =>
      FLOATS.map((type) => {
        // The numbers next to a half; float16 has other ones.
        const nearHalf = type === 'float32' ? [0.49999997, 0.50000006, 8388607.5, -0.49999997] : [0.49975586, 0.50048828];
        return unary('elementWiseRound', [type, [...HALVES, ...nearHalf]], type, { roundingMode });
      }),
    ),

  elementWiseQuantizeLinear: () =>
    BYTES.map((type) => {
      const parameter = (dataType: DataType) => ({ dataType, sizes: [HALVES.length], strides: [0] });
      return made(
        {
          ...{ type: 'elementWiseQuantizeLinear', inputTensor: tensor('float32', HALVES), scaleTensor: parameter('float32') },
          ...{ zeroPointTensor: parameter(type), outputTensor: tensor(type, HALVES) },
        },
        { inputTensor: ['float32', HALVES], scaleTensor: ['float32', [1]], zeroPointTensor: [type, [1]] },
      );
    }),

  quantize: () =>
    FLOATS.flatMap((real) =>
      BYTES.map((type) => {
        const parameters = [tensor(real, [0]), tensor(type, [0])];
        const { descriptor, data } = unary('quantize', [real, HALVES], type, {
          ...{ quantizationType: 'scaleZeroPoint', quantizationTensors: parameters },
        });
        return { descriptor, data: { ...data, quantizationTensors: [encoded([real, [1]]), encoded([type, [1]])] } };
      }),
    ),

  // Scales of 1, so that the zero point is a half: 0.5, 1.5 and 2.5, or -127.5 and so on.
  dynamicQuantizeLinear: () =>
    BYTES.flatMap((type) =>
      [0.5, 1.5, 2.5].map((half) =>
        unary('dynamicQuantizeLinear', ['float32', [-half, 255 - half, 1, 0.5, 1.5, 2.5]], type, {
          ...{ outputScaleTensor: tensor('float32', [0]), outputZeroPointTensor: tensor(type, [0]) },
        }),
      ),
    ),

  quantizedLinearMatrixMultiply: () => {
    const a = [1, 3, 5, 7, -1, -3, -5, 127];
    const sizes = [a.length, 1];
    return [
      made(
        {
          ...{ type: 'quantizedLinearMatrixMultiply', aTensor: tensor('int8', a, sizes), bTensor: tensor('int8', [1], [1, 1]) },
          ...{
            aScaleTensor: tensor('float32', [1]),
            bScaleTensor: tensor('float32', [1]),
            outputScaleTensor: tensor('float32', [1]),
          },
          ...{
            aZeroPointTensor: null,
            bZeroPointTensor: null,
            outputZeroPointTensor: null,
            outputTensor: tensor('int8', a, sizes),
          },
        },
        {
          ...{ aTensor: ['int8', a, sizes], bTensor: ['int8', [1], [1, 1]], aScaleTensor: ['float32', [0.5]] },
          ...{ bScaleTensor: ['float32', [1]], outputScaleTensor: ['float32', [1]] },
        },
      ),
    ];
  },

  quantizedLinearConvolution: () => {
    const input = [1, 3, 5, 7, -1, -3, -5, 127];
    const [sizes, one] = [
      [1, 1, 1, input.length],
      [1, 1, 1, 1],
    ];
    return [
      made(
        {
          ...{
            type: 'quantizedLinearConvolution',
            inputTensor: tensor('int8', input, sizes),
            filterTensor: tensor('int8', [1], one),
          },
          ...{ inputScaleTensor: tensor('float32', [1], one), filterScaleTensor: tensor('float32', [1], one) },
          ...{ inputZeroPointTensor: null, filterZeroPointTensor: null, biasTensor: null, outputZeroPointTensor: null },
          ...{ outputScaleTensor: tensor('float32', [1], one), outputTensor: tensor('int8', input, sizes), groupCount: 1 },
          ...{ strides: [1, 1], dilations: [1, 1], startPadding: [0, 0], endPadding: [0, 0] },
        },
        {
          ...{ inputTensor: ['int8', input, sizes], filterTensor: ['int8', [1], one], inputScaleTensor: ['float32', [0.5], one] },
          ...{ filterScaleTensor: ['float32', [1], one], outputScaleTensor: ['float32', [1], one] },
        },
      ),
    ];
  },

  quantizedLinearAveragePooling: () => {
    const input = [0, 1, 1, 2, 2, 3, -1, 0, -2, -1, -3, -2];
    const [sizes, half, one] = [
      [1, 1, 1, input.length],
      [1, 1, 1, input.length / 2],
      [1, 1, 1, 1],
    ];
    return [
      made(
        {
          ...{
            type: 'quantizedLinearAveragePooling',
            inputTensor: tensor('int8', input, sizes),
            outputTensor: tensor('int8', [], half),
          },
          ...{ inputScaleTensor: tensor('float32', [1], one), outputScaleTensor: tensor('float32', [1], one) },
          ...{ inputZeroPointTensor: null, outputZeroPointTensor: null, windowSize: [1, 2], strides: [1, 2] },
          ...{ dilations: [1, 1], startPadding: [0, 0], endPadding: [0, 0], includePadding: false },
        },
        {
          inputTensor: ['int8', input, sizes],
          ...{ inputScaleTensor: ['float32', [1], one], outputScaleTensor: ['float32', [1], one] },
        },
      ),
    ];
  },

  activationShrink: () =>
    [0.5, -0.5].map((bias) =>
      unary('activationShrink', ['int32', [1, 2, 3, 4, -1, -2, -3, -4, 0]], 'int32', { bias, threshold: 0.25 }),
    ),

  // Every output lies halfway between two elements.
  resample: () => FLOATS.map((type) => halfway('resample', type, {})),
  resample1: () => FLOATS.map((type) => halfway('resample1', type, CENTERS)),
  resample2: () => DIRECTIONS.map((roundingDirection) => halfway('resample2', 'float32', { ...CENTERS, roundingDirection })),
  resample3: () =>
    DIRECTIONS.map((roundingDirection) => halfway('resample3', 'float32', { ...CENTERS, roundingDirection, antialiased: false })),

  argmax: () => DIRECTIONS.map((axisDirection) => extreme('argmax', { axisDirection })),
  argmin: () => DIRECTIONS.map((axisDirection) => extreme('argmin', { axisDirection })),
  reduce: () => [extreme('reduce', { function: 'argmax' }), extreme('reduce', { function: 'argmin' })],
  topK: () => [top('topK', {})],
  topK1: () => DIRECTIONS.map((axisDirection) => top('topK1', { axisDirection })),
  activationHardmax: () => FLOATS.map((type) => unary('activationHardmax', [type, EQUALS, [1, 8]], type, {})),
  activationHardmax1: () => FLOATS.map((type) => unary('activationHardmax1', [type, EQUALS], type, { axes: [0] })),

  maxPooling1: () => [pooled('maxPooling1', {})],
  maxPooling2: () => [pooled('maxPooling2', { dilations: [1, 1] })],

  // Elements that equal a limit.
  elementWiseClipGrad: () => [limited('elementWiseClipGrad', { min: -1, max: 2 })],
  elementWiseClipGrad1: () => [limited('elementWiseClipGrad1', { minMaxDataType: 'float32', min: -1, max: 2 })],
  activationReluGrad: () => [limited('activationReluGrad', {})],
  activationThresholdedRelu: () => [unary('activationThresholdedRelu', ['float32', EQUALS], 'float32', { alpha: 2 })],
};

const DIRECTIONS = ['increasing', 'decreasing'] as const;
const CENTERS = { inputPixelOffsets: [0.5], outputPixelOffsets: [-0.5] };

function unary(type: OperatorType, input: Input, output: DataType, fields: object): ConformanceCase {
  const [dataType, elements, sizes] = input;
  const tensors = { inputTensor: tensor(dataType, elements, sizes), outputTensor: tensor(output, elements, sizes) };
  return made({ type, ...tensors, ...fields }, { inputTensor: input });
}

function halfway(type: OperatorType, dataType: DataType, fields: object): ConformanceCase {
  const elements = [1, 2, 4, 8, 16, 32, 64, 128];
  return unary(type, [dataType, elements], dataType, {
    ...{ outputTensor: { dataType, sizes: [4] }, interpolationMode: 'nearestNeighbor', scales: [0.5] },
    ...fields,
  });
}

function extreme(type: OperatorType, fields: object): ConformanceCase {
  return unary(type, ['float32', EQUALS], 'uint32', { outputTensor: { dataType: 'uint32', sizes: [1] }, axes: [0], ...fields });
}

function top(type: OperatorType, fields: object): ConformanceCase {
  const [outputValueTensor, outputIndexTensor] = [tensor('float32', EQUALS), tensor('uint32', EQUALS)];
  const inputTensor = tensor('float32', EQUALS);
  const common = { inputTensor, outputValueTensor, outputIndexTensor, axis: 0, k: EQUALS.length };
  return made({ type, ...common, ...fields }, { inputTensor: ['float32', EQUALS] });
}

function pooled(type: OperatorType, fields: object): ConformanceCase {
  const [sizes, places] = [
    [1, 1, 1, EQUALS.length],
    [1, 1, 1, EQUALS.length - 3],
  ];
  return unary(type, ['float32', EQUALS, sizes], 'float32', {
    ...{ outputTensor: { dataType: 'float32', sizes: places }, outputIndicesTensor: { dataType: 'uint32', sizes: places } },
    ...{ windowSize: [1, 4], strides: [1, 1], startPadding: [0, 0], endPadding: [0, 0] },
    ...fields,
  });
}

function limited(type: OperatorType, fields: object): ConformanceCase {
  const [input, gradients] = [
    [-1, 2, 0, -2, 3, 1],
    [1, 2, 3, 4, 5, 6],
  ];
  const each = tensor('float32', input);
  return made(
    { type, inputTensor: each, inputGradientTensor: each, outputGradientTensor: each, ...fields },
    { inputTensor: ['float32', input], inputGradientTensor: ['float32', gradients] },
  );
}

function tensor(dataType: DataType, elements: readonly number[], sizes: readonly number[] = [elements.length]): TensorDesc {
  return { dataType, sizes };
}

/** The cast is checked by the tests: validation refuses a descriptor that is not whole. */
function made(descriptor: object, inputs: Readonly<Record<string, Input>>): ConformanceCase {
  const data = Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, encoded(input)]));
  return { descriptor: descriptor as WholeDescriptor, data };
}

function encoded([dataType, elements]: Input): string {
  if (!(dataType in writers)) throw new TypeError(`no writer for ${dataType}`);
  const { buffer } = writers[dataType as keyof typeof writers](elements);
  const padded = new Uint8Array(minimumTensorSizeInBytes(dataType, [elements.length]));
  padded.set(new Uint8Array(buffer));
  return base64(padded);
}
