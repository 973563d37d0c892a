/** Examples of pooling. The pages of the gradients show the forward operators too. */
import { examplesOf, tensor, type ExampleTensor } from '../../cases/example.js';
import { own, unary } from '../../cases/own-example.js';

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

export const averagePoolingGrad = examplesOf('averagePoolingGrad', 'ns-directml-dml_average_pooling_grad_operator_desc.md', [
  {
    type: 'averagePooling',
    title: 'the forward pooling',
    inputs: { inputTensor: nine },
    outputs: { outputTensor: tensor('float32', [1, 1, 2, 2], [3, 4, 6, 7]) },
    fields: { ...twoByTwo, includePadding: false },
  },
  {
    title: 'the gradient',
    inputs: { inputGradientTensor: tensor('float32', [1, 1, 2, 2], [1, 2, 3, 4]) },
    outputs: {
      outputGradientTensor: tensor('float32', [1, 1, 3, 3], [0.25, 0.75, 0.5, 1, 2.5, 1.5, 0.75, 1.75, 1]),
    },
    fields: { ...twoByTwo, includePadding: false },
  },
]);

const summits = tensor('float32', [1, 1, 3, 3], [1, 2, 3, 2, 4, 2, 5, 6, 7]);

export const maxPoolingGrad = examplesOf('maxPoolingGrad', 'ns-directml-dml_max_pooling_grad_operator_desc.md', [
  {
    type: 'maxPooling2',
    title: 'the forward pooling',
    inputs: { inputTensor: summits },
    outputs: {
      outputTensor: tensor('float32', [1, 1, 2, 2], [4, 4, 6, 7]),
      outputIndicesTensor: tensor('uint32', [1, 1, 2, 2], [4, 4, 7, 8]),
    },
    fields: { ...twoByTwo, dilations: [1, 1] },
  },
  {
    title: 'the gradient, summed where windows overlap',
    inputs: { inputTensor: summits, inputGradientTensor: tensor('float32', [1, 1, 2, 2], [1, 2, 4, 5]) },
    outputs: { outputGradientTensor: tensor('float32', [1, 1, 3, 3], [0, 0, 0, 0, 3, 0, 0, 4, 5]) },
    fields: { ...twoByTwo, dilations: [1, 1] },
  },
]);

export const ours = [
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
      ...{
        inputTensor: image('uint8', [1, 4], 11, 13, 10, 30),
        inputScaleTensor: one(1),
        inputZeroPointTensor: image('uint8', [1, 1], 10),
      },
      ...{ outputScaleTensor: one(0.5), outputZeroPointTensor: image('uint8', [1, 1], 100) },
    },
    { outputTensor: image('uint8', [1, 2], 104, 120) },
    { ...pair, dilations: [1, 1], includePadding: false },
  ),
];
