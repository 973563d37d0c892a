/** The examples in the texts of lib/operators, by what each text explains. Each function makes tensors of the stated numbers. */
import { tensor, type OwnExample, type Stated } from '../../checks/cases/example.js';
import { floats, floatTensor, integers, own, unary } from '../../checks/cases/own-example.js';
import { stackedExamples } from './stated-layouts.js';

/** For each text, its examples in the order in which they appear. */
export const statedExamples: Readonly<Record<string, readonly Stated[]>> = {
  'ReduceFunction.argmax': [reduce('argmax')],
  'ReduceFunction.argmin': [reduce('argmin')],
  'ReduceFunction.average': [reduce('average')],
  'ReduceFunction.l1': [reduce('l1')],
  'ReduceFunction.l2': [reduce('l2')],
  'ReduceFunction.logSum': [reduce('logSum')],
  'ReduceFunction.logSumExp': [reduce('logSumExp')],
  'ReduceFunction.max': [reduce('max')],
  'ReduceFunction.min': [reduce('min')],
  'ReduceFunction.multiply': [reduce('multiply')],
  'ReduceFunction.sum': [reduce('sum')],
  'ReduceFunction.sumSquare': [reduce('sumSquare')],
  'ConvolutionMode.convolution': [convolve('convolution')],
  'ConvolutionMode.crossCorrelation': [convolve('crossCorrelation')],
  'PaddingMode.constant': [pad('constant')],
  'PaddingMode.edge': [pad('edge')],
  'PaddingMode.reflection': [pad('reflection')],
  'PaddingMode.symmetric': [pad('symmetric')],
  'PaddingMode.wrap': [pad('wrap')],
  'InterpolationMode.nearestNeighbor': [enlarge('resample1', { interpolationMode: 'nearestNeighbor' })],
  'InterpolationMode.linear': [enlarge('resample1', { interpolationMode: 'linear' })],
  'RoundingMode.halvesToNearestEven': [line('elementWiseRound', { roundingMode: 'halvesToNearestEven' })],
  'RoundingMode.towardZero': [line('elementWiseRound', { roundingMode: 'towardZero' })],
  'RoundingMode.towardInfinity': [line('elementWiseRound', { roundingMode: 'towardInfinity' })],
  argmax: [indexOf('argmax', 'increasing'), indexOf('argmax', 'decreasing')],
  argmin: [indexOf('argmin', 'increasing'), indexOf('argmin', 'decreasing')],
  topK: [topIndices('topK', {})],
  topK1: [topIndices('topK1', { axisDirection: 'decreasing' }), topIndices('topK1', { axisDirection: 'increasing' })],
  cumulativeSummation: [
    line('cumulativeSummation', { axis: 0, axisDirection: 'increasing', hasExclusiveSum: false }),
    line('cumulativeSummation', { axis: 0, axisDirection: 'increasing', hasExclusiveSum: true }),
    line('cumulativeSummation', { axis: 0, axisDirection: 'decreasing', hasExclusiveSum: false }),
  ],
  cumulativeProduct: [
    line('cumulativeProduct', { axis: 0, axisDirection: 'increasing', hasExclusiveProduct: false }),
    line('cumulativeProduct', { axis: 0, axisDirection: 'increasing', hasExclusiveProduct: true }),
    line('cumulativeProduct', { axis: 0, axisDirection: 'decreasing', hasExclusiveProduct: false }),
  ],
  lpNormalization: [line('lpNormalization', { axis: 0, p: 2, epsilon: 0 })],
  slice: [line('slice', { offsets: [1], sizes: [3], strides: [2] })],
  slice1: [line('slice1', { inputWindowOffsets: [1], inputWindowSizes: [6], inputWindowStrides: [-2] })],
  resample2: resampled('resample2'),
  resample3: resampled('resample3'),
  resampleGrad: [gradientOfEnlarged('resampleGrad')],
  resampleGrad1: [gradientOfEnlarged('resampleGrad1')],
  averagePooling: [averagePairs('averagePooling', true), averagePairs('averagePooling', false)],
  averagePooling1: [averagePairs('averagePooling1', true), averagePairs('averagePooling1', false)],
  convolution: [
    convolve('crossCorrelation'),
    convolve('convolution'),
    convolve('crossCorrelation', 'backward'),
    convolve('convolution', 'backward'),
  ],
  reverseSubsequences: [
    (input, output) => {
      const inputs = { inputTensor: floats(...input), sequenceLengthsTensor: tensor('uint32', [1], [3]) };
      return own('reverseSubsequences', inputs, { outputTensor: floats(...output) }, { axis: 0 });
    },
  ],
  ...stackedExamples,
};

type Type = OwnExample['descriptor']['type'];
type Fields = Readonly<Record<string, unknown>>;

/** An example of an operator that turns one list of floats into another. */
function line(type: Type, fields: Fields): Stated {
  return (input, output) => unary(type, floats(...input), floats(...output), fields);
}

function reduce(name: string): Stated {
  const isIndex = name === 'argmax' || name === 'argmin';
  return (input, output) =>
    unary('reduce', floats(...input), isIndex ? integers(...output) : floats(...output), { function: name, axes: [0] });
}

function indexOf(type: 'argmax' | 'argmin', axisDirection: string): Stated {
  return (input, output) => unary(type, floats(...input), integers(...output), { axes: [0], axisDirection });
}

/** Checks only the indices, because the text does not show the values. */
function topIndices(type: 'topK' | 'topK1', fields: Fields): Stated {
  return (input, output) => {
    const outputIndexTensor = tensor('uint32', [1, 1, 1, output.length], output);
    const outputValueTensor = tensor('float32', [1, 1, 1, output.length], null);
    const inputTensor = floatTensor([1, 1, 1, input.length], ...input);
    return own(type, { inputTensor }, { outputValueTensor, outputIndexTensor }, { axis: 3, k: 3, ...fields });
  };
}

function convolve(mode: string, direction = 'forward'): Stated {
  const ends = [0, direction === 'forward' ? 1 : 0];
  return (input, output) =>
    own(
      'convolution',
      { inputTensor: floatTensor([1, 1, 1, input.length], ...input), filterTensor: floatTensor([1, 1, 1, 3], 1, 2, 3) },
      { outputTensor: floatTensor([1, 1, 1, output.length], ...output) },
      { mode, direction, startPadding: ends, endPadding: ends },
    );
}

function pad(paddingMode: string): Stated {
  return line('padding', { paddingMode, paddingValue: 9, startPadding: [2], endPadding: [2] });
}

function enlarge(type: Type, fields: Fields): Stated {
  return line(type, { scales: [2], inputPixelOffsets: [0.5], outputPixelOffsets: [-0.5], ...fields });
}

function resampled(type: 'resample2' | 'resample3'): Stated[] {
  const antialiased = type === 'resample3' ? { antialiased: false } : {};
  const roundingDirection = 'decreasing';
  const nearest = { interpolationMode: 'nearestNeighbor', inputPixelOffsets: [0] };
  return [
    enlarge(type, { roundingDirection, ...antialiased, ...nearest }),
    enlarge(type, { roundingDirection, ...antialiased, interpolationMode: 'linear' }),
  ];
}

function gradientOfEnlarged(type: 'resampleGrad' | 'resampleGrad1'): Stated {
  const offsets = { inputPixelOffsets: [-0.5], outputPixelOffsets: [0.5] };
  const direction = type === 'resampleGrad1' ? { roundingDirection: 'decreasing' } : {};
  return (input, output) =>
    own(
      type,
      { inputGradientTensor: floats(...input) },
      { outputGradientTensor: floats(...output) },
      { interpolationMode: 'linear', scales: [2], ...offsets, ...direction },
    );
}

function averagePairs(type: 'averagePooling' | 'averagePooling1', includePadding: boolean): Stated {
  const window = { strides: [1, 1], windowSize: [1, 2], startPadding: [0, 1], endPadding: [0, 0], includePadding };
  return (input, output) =>
    unary(type, floatTensor([1, 1, 1, input.length], ...input), floatTensor([1, 1, 1, output.length], ...output), window);
}
