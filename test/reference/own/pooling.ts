/** Operators that pool images, and put one together of what was pooled. */
import { tensor, type ExampleTensor } from '../example.js';
import { own, unary } from './own.js';

const image = (dataType: ExampleTensor['dataType'], sizes: readonly number[], ...values: readonly number[]): ExampleTensor =>
  tensor(dataType, [1, 1, ...sizes], values);
const one = (value: number): ExampleTensor => image('float32', [1, 1], value);

const nine = image('float32', [3, 3], 1, 2, 3, 4, 5, 6, 7, 8, 9);
const twoByTwo = { strides: [1, 1], windowSize: [2, 2], startPadding: [0, 0], endPadding: [0, 0] };
const pair = { strides: [1, 2], windowSize: [1, 2], startPadding: [0, 0], endPadding: [0, 0] };
const dilated = { ...twoByTwo, dilations: [2, 2] };
const peaks = image('float32', [2, 4], 1, 5, 2, 0, 4, 3, 6, 6);
const largest = image('float32', [1, 2], 5, 6);
const found = { outputTensor: largest, outputIndicesTensor: image('uint32', [1, 2], 1, 6) };
const blocks = { ...twoByTwo, strides: [2, 2] };

export const pooling = [
  unary('averagePooling1', nine, one(5), { ...dilated, includePadding: false }),
  unary('lpPooling', image('float32', [1, 4], 3, -4, 0, 6), image('float32', [1, 2], 5, 6), { ...pair, p: 2 }),
  unary('lpPooling1', nine, one(20), { ...dilated, p: 1 }),
  unary('maxPooling', peaks, largest, blocks),
  own('maxPooling1', { inputTensor: peaks }, found, blocks),
  own('maxPooling2', { inputTensor: peaks }, found, { ...blocks, dilations: [1, 1] }),
  own(
    'maxUnpooling',
    { inputTensor: largest, indicesTensor: found.outputIndicesTensor },
    { outputTensor: image('float32', [2, 4], 0, 5, 0, 0, 0, 0, 6, 0) },
  ),
  own(
    'quantizedLinearAveragePooling',
    {
      ...{ inputTensor: image('uint8', [1, 4], 11, 13, 10, 30), inputScaleTensor: one(1), inputZeroPointTensor: image('uint8', [1, 1], 10) },
      ...{ outputScaleTensor: one(0.5), outputZeroPointTensor: image('uint8', [1, 1], 100) },
    },
    { outputTensor: image('uint8', [1, 2], 104, 120) },
    { ...pair, dilations: [1, 1], includePadding: false },
  ),
];
