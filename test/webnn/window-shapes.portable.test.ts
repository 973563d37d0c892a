/** The shapes of what convolutions, poolings and resampling make, and the widest options that they take. */
import { beforeAll, expect, test } from 'vitest';
import { createML, MLGraphBuilder, type MLContext, type MLOperand } from 'node-directml/webnn';

type Make = (b: MLGraphBuilder, of: (...shape: readonly number[]) => MLOperand) => MLOperand;

let context: MLContext;

beforeAll(async () => {
  context = await createML({ backend: 'reference' }).createContext();
});

const apart = { strides: [2, 3], dilations: [2, 1], padding: [1, 0, 0, 1] };
const pairs = { windowDimensions: [2, 2], strides: [2, 2] };

test.each<[what: string, make: Make, shape: readonly number[]]>([
  ['a convolution', (b, of) => b.conv2d(of(1, 2, 5, 6), of(3, 2, 3, 2)), [1, 3, 3, 5]],
  ['a convolution in groups', (b, of) => b.conv2d(of(1, 4, 5, 6), of(6, 2, 3, 2), { groups: 2 }), [1, 6, 3, 5]],
  ['a convolution with windows apart', (b, of) => b.conv2d(of(2, 2, 5, 6), of(3, 2, 3, 2), apart), [2, 3, 1, 2]],
  [
    'a convolution with two groups and all layouts the other way',
    (b, of) => b.conv2d(of(1, 5, 6, 4), of(6, 3, 2, 2), { groups: 2, inputLayout: 'nhwc', filterLayout: 'ohwi' }),
    [1, 3, 5, 6],
  ],
  [
    'a filter whose outputs are last',
    (b, of) => b.conv2d(of(1, 4, 5, 6), of(3, 2, 4, 7), { filterLayout: 'hwio' }),
    [1, 7, 3, 5],
  ],
  [
    'a filter whose inputs are first',
    (b, of) => b.conv2d(of(1, 4, 5, 6), of(4, 3, 2, 7), { filterLayout: 'ihwo' }),
    [1, 7, 3, 5],
  ],
  ['a bias for each output', (b, of) => b.conv2d(of(1, 1, 4, 4), of(3, 1, 1, 1), { bias: of(3) }), [1, 3, 4, 4]],
  ['a convolution as large as its input', (b, of) => b.conv2d(of(1, 1, 4, 5), of(1, 1, 4, 5)), [1, 1, 1, 1]],

  [
    'a convolution with padding on each side',
    (b, of) => b.conv2d(of(1, 2, 5, 6), of(3, 2, 3, 2), { padding: [1, 2, 4, 8] }),
    [1, 3, 6, 17],
  ],

  ['a transposed convolution', (b, of) => b.convTranspose2d(of(1, 4, 2, 3), of(4, 3, 2, 2)), [1, 3, 3, 4]],
  [
    'a transposed convolution in groups',
    (b, of) => b.convTranspose2d(of(1, 4, 2, 3), of(4, 3, 2, 2), { groups: 2, bias: of(6) }),
    [1, 6, 3, 4],
  ],
  [
    'a transposed convolution with windows apart',
    (b, of) => b.convTranspose2d(of(1, 4, 2, 3), of(4, 3, 2, 2), apart),
    [1, 3, 4, 7],
  ],
  [
    'the most output padding',
    (b, of) => b.convTranspose2d(of(1, 4, 2, 3), of(4, 3, 2, 2), { ...apart, outputPadding: [1, 2] }),
    [1, 3, 5, 9],
  ],
  [
    'the largest output sizes',
    (b, of) => b.convTranspose2d(of(1, 4, 2, 3), of(4, 3, 2, 2), { ...apart, outputSizes: [5, 9] }),
    [1, 3, 5, 9],
  ],
  [
    'the least output sizes, which replace the padding of the output',
    (b, of) => b.convTranspose2d(of(1, 4, 2, 3), of(4, 3, 2, 2), { ...apart, outputSizes: [4, 7], outputPadding: [7, 7] }),
    [1, 3, 4, 7],
  ],
  [
    'a transposed convolution with all layouts the other way',
    (b, of) => b.convTranspose2d(of(1, 2, 3, 4), of(2, 1, 5, 4), { inputLayout: 'nhwc', filterLayout: 'hwoi' }),
    [1, 3, 3, 5],
  ],
  [
    'a transposed filter whose outputs are first',
    (b, of) => b.convTranspose2d(of(1, 4, 2, 3), of(5, 2, 1, 4), { filterLayout: 'ohwi' }),
    [1, 5, 3, 3],
  ],

  ['a pooling of the whole image', (b, of) => b.averagePool2d(of(2, 3, 4, 5)), [2, 3, 1, 1]],
  ['a pooling of pairs', (b, of) => b.maxPool2d(of(1, 2, 5, 6), pairs), [1, 2, 2, 3]],
  [
    'a pooling of pairs and a rest',
    (b, of) => b.l2Pool2d(of(1, 2, 5, 6), { ...pairs, outputShapeRounding: 'ceil' }),
    [1, 2, 3, 3],
  ],
  [
    'a pooling without the rest',
    (b, of) => b.averagePool2d(of(1, 2, 5, 6), { ...pairs, outputShapeRounding: 'floor' }),
    [1, 2, 2, 3],
  ],
  [
    'a rest by the older name of the option',
    (b, of) => b.maxPool2d(of(1, 2, 5, 6), { ...pairs, roundingType: 'ceil' }),
    [1, 2, 3, 3],
  ],
  [
    'the older name of the option, which comes first',
    (b, of) => b.maxPool2d(of(1, 2, 5, 6), { ...pairs, roundingType: 'floor', outputShapeRounding: 'ceil' }),
    [1, 2, 2, 3],
  ],
  ['the larger sizes of a pooling', (b, of) => b.maxPool2d(of(1, 2, 5, 7), { ...pairs, outputSizes: [3, 4] }), [1, 2, 3, 4]],
  [
    'the smaller sizes of a pooling, whatever else is asked for',
    (b, of) => b.maxPool2d(of(1, 2, 5, 7), { ...pairs, outputSizes: [2, 3], outputShapeRounding: 'ceil' }),
    [1, 2, 2, 3],
  ],
  ['a pooling whose channels are last', (b, of) => b.maxPool2d(of(1, 5, 6, 2), { ...pairs, layout: 'nhwc' }), [1, 2, 3, 2]],
  ['a pooling with windows apart', (b, of) => b.maxPool2d(of(1, 2, 5, 6), { windowDimensions: [3, 2], ...apart }), [1, 2, 1, 2]],

  ['resampling by scales', (b, of) => b.resample2d(of(1, 2, 3, 4), { scales: [1.5, 0.5] }), [1, 2, 4, 2]],
  ['resampling to sizes', (b, of) => b.resample2d(of(1, 2, 3, 4), { sizes: [7, 8] }), [1, 2, 7, 8]],
  [
    'resampling to sizes, whatever the scales',
    (b, of) => b.resample2d(of(1, 2, 3, 4), { sizes: [7, 8], scales: [2, 2] }),
    [1, 2, 7, 8],
  ],
  ['resampling of other axes', (b, of) => b.resample2d(of(1, 2, 3, 4), { scales: [2, 3], axes: [1, 2] }), [1, 4, 9, 4]],
  ['resampling by nothing', (b, of) => b.resample2d(of(1, 2, 3, 4)), [1, 2, 3, 4]],
])('%s', (_, make, shape) => {
  const b = new MLGraphBuilder(context);
  let count = 0;
  const made = make(b, (...sizes) => b.input(`x${count++}`, { dataType: 'float32', shape: sizes }));
  expect(made.shape).toEqual(shape);
});
