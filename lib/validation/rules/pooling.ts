/** Pooling: each element of the output is made of a window of the image, which is the last two or three dimensions. */
import { strictly } from '../strict.js';
import {
  hasSizes,
  isTensor,
  needsSizes,
  numbersField,
  refuse,
  sameDataType,
  sameDimensionCount,
  sameSizes,
  sizesUnlessGiven,
  tensorField,
  uintField,
  type ResolvedOperator,
  type Rule,
} from './rule.js';

/**
 * `inputTensor` is [batch, channels, height, width] or [batch, channels, depth, height, width]; the arrays have a number for
 * each dimension after the channels. Windows and strides are at least 1, and a window fits into the padded image.
 * `outputTensor` has the data type, dimension count, batch and channels of `inputTensor`. Each further size is
 * floor((size + startPadding + endPadding - windowSize) / stride) + 1.
 */
const pooling: Rule = (operator) => pools(operator, 'inputTensor', 'outputTensor');

/**
 * `inputTensor` is [batch, channels, height, width] or [batch, channels, depth, height, width]; the arrays have a number for
 * each dimension after the channels. Windows, strides and dilations are at least 1. A dilated window spans
 * (windowSize - 1) × dilation + 1 elements and fits into the padded image.
 * `outputTensor` has the data type, dimension count, batch and channels of `inputTensor`. Each further size is
 * floor((size + startPadding + endPadding - span) / stride) + 1.
 */
const dilatedPooling: Rule = (operator) => pools(operator, 'inputTensor', 'outputTensor');

export const averagePooling = pooling;
export const averagePooling1 = dilatedPooling;
export const lpPooling = pooling;
export const lpPooling1 = dilatedPooling;
export const maxPooling = pooling;

/**
 * `inputTensor` is [batch, channels, height, width] or [batch, channels, depth, height, width]; the arrays have a number for
 * each dimension after the channels. Windows and strides are at least 1, and a window fits into the padded image.
 * `outputTensor` has the data type, dimension count, batch and channels of `inputTensor`. Each further size is
 * floor((size + startPadding + endPadding - windowSize) / stride) + 1.
 * `outputIndicesTensor` has the sizes of `outputTensor`.
 * Where there are several, `outputIndicesTensor` must give its data type.
 */
export const maxPooling1: Rule = (operator) => poolsWithIndices(operator);

/**
 * `inputTensor` is [batch, channels, height, width] or [batch, channels, depth, height, width]; the arrays have a number for
 * each dimension after the channels. Windows, strides and dilations are at least 1. A dilated window spans
 * (windowSize - 1) × dilation + 1 elements and fits into the padded image.
 * `outputTensor` has the data type, dimension count, batch and channels of `inputTensor`. Each further size is
 * floor((size + startPadding + endPadding - span) / stride) + 1.
 * `outputIndicesTensor` has the sizes of `outputTensor`.
 * Where there are several, `outputIndicesTensor` must give its data type.
 */
export const maxPooling2: Rule = (operator) => poolsWithIndices(operator);

function poolsWithIndices(operator: ResolvedOperator): void {
  pools(operator, 'inputTensor', 'outputTensor');
  if (!isTensor(operator.fields['outputIndicesTensor'])) return;
  sameDimensionCount(operator, 'outputTensor', 'outputIndicesTensor');
  sameSizes(operator, 'outputTensor', 'outputIndicesTensor');
}

/**
 * `outputGradientTensor` is [batch, channels, height, width] or [batch, channels, depth, height, width]; the arrays have a
 * number for each dimension after the channels. Windows and strides are at least 1, and a window fits into the padded image.
 * `inputGradientTensor` is what pooling makes of that: it has the data type, dimension count, batch and channels of
 * `outputGradientTensor`. Each further size is floor((size + startPadding + endPadding - windowSize) / stride) + 1.
 * The sizes of `outputGradientTensor` must be given.
 */
export const averagePoolingGrad: Rule = (operator) => {
  sameDataType(operator, 'outputGradientTensor', 'inputGradientTensor');
  sameDimensionCount(operator, 'outputGradientTensor', 'inputGradientTensor');
  needsSizes(operator, 'outputGradientTensor', 'the sizes of the image that was pooled');
  pools(operator, 'outputGradientTensor', 'inputGradientTensor');
};

/**
 * `inputTensor` is [batch, channels, height, width] or [batch, channels, depth, height, width]; the arrays have a number for
 * each dimension after the channels. Windows, strides and dilations are at least 1. A dilated window spans
 * (windowSize - 1) × dilation + 1 elements and fits into the padded image.
 * `outputGradientTensor` is like `inputTensor` in data type and sizes.
 * `inputGradientTensor` has the data type, dimension count, batch and channels of `inputTensor`. Each further size is
 * floor((size + startPadding + endPadding - span) / stride) + 1.
 */
export const maxPoolingGrad: Rule = (operator) => {
  sameDataType(operator, 'inputTensor', 'outputGradientTensor');
  sameDimensionCount(operator, 'inputTensor', 'outputGradientTensor');
  sameSizes(operator, 'inputTensor', 'outputGradientTensor');
  pools(operator, 'inputTensor', 'inputGradientTensor');
};

/**
 * `outputTensor` has the data type of `inputTensor`, and any sizes. `indicesTensor` has the sizes of `inputTensor`; each index
 * counts the elements of `outputTensor`.
 * The sizes of `outputTensor` must be given.
 */
export const maxUnpooling: Rule = (operator) => {
  sameDataType(operator, 'inputTensor', 'outputTensor');
  sameSizes(operator, 'inputTensor', 'indicesTensor');
  needsSizes(operator, 'outputTensor', 'the sizes of the image that was pooled');
};

/**
 * `inputTensor` is [batch, channels, height, width] or [batch, channels, depth, height, width]; the arrays have a number for
 * each dimension after the channels. Windows, strides and dilations are at least 1. A dilated window spans
 * (windowSize - 1) × dilation + 1 elements and fits into the padded image.
 * `outputTensor` has the data type, dimension count, batch and channels of `inputTensor`. Each further size is
 * floor((size + startPadding + endPadding - span) / stride) + 1.
 * A scale has the dimension count of `inputTensor`, and one element or, after the batch, one for each channel. A zero point has
 * the data type of `inputTensor` and the sizes of its scale.
 */
export const quantizedLinearAveragePooling: Rule = (operator) => {
  pools(operator, 'inputTensor', 'outputTensor');
  quantized(operator, 'inputScaleTensor', 'inputZeroPointTensor');
  quantized(operator, 'outputScaleTensor', 'outputZeroPointTensor');
};

function quantized(operator: ResolvedOperator, scale: string, zeroPoint: string): void {
  if (isTensor(operator.fields[zeroPoint])) {
    sameDataType(operator, 'inputTensor', zeroPoint);
    sameDimensionCount(operator, scale, zeroPoint);
    sameSizes(operator, scale, zeroPoint);
  }
  strictly('quantized-pooling-parameters', () => {
    sameDimensionCount(operator, 'inputTensor', scale);
    const { sizes } = tensorField(operator, 'inputTensor');
    if (tensorField(operator, scale).sizes.every((size) => size === 1)) return;
    const perChannel = sizes.map((size, axis) => (axis === 1 ? size : 1));
    hasSizes(operator, scale, perChannel, 'one for each channel, or a single one');
  });
}

/** `pooled` is what windows make of `image`. */
function pools(operator: ResolvedOperator, image: string, pooled: string): void {
  sameDataType(operator, image, pooled);
  sameDimensionCount(operator, image, pooled);
  const { sizes } = tensorField(operator, image);
  const planes = sizes.slice(0, 2);
  const poolable = (): readonly number[] => {
    const spaceCount = uintField(operator, 'dimensionCount');
    if (sizes.length !== spaceCount + 2) {
      const why = 'batch, channels and the dimensions of a window';
      throw refuse(operator, 'ERR_DIMENSION_COUNT', `${image}.sizes`, `${spaceCount + 2} dimensions`, `${sizes.length}`, why);
    }
    return [...planes, ...sizes.slice(2).map((size, i) => placesOf(operator, size, i))];
  };
  strictly('pooling-sizes', () => sizesUnlessGiven(operator, pooled, poolable));
  const given = tensorField(operator, pooled).sizes.slice(2);
  hasSizes(operator, pooled, [...planes, ...given], `batch and channels as ${image} has`);
  strictly('pooling-sizes', () => hasSizes(operator, pooled, poolable(), 'the places of the window'));
  strictly('window-elements', () => fewElements(operator, sizes.slice(2)));
  strictly('window-positions', () => sizes.slice(2).forEach((size, i) => positionsFit(operator, size, i)));
}

/** What is small enough for every GPU, in whatever place of the padding: 1024 × 1024. */
const MOST_ELEMENTS = 2 ** 20;

function fewElements(operator: ResolvedOperator, sizes: readonly number[]): void {
  const windowSize = numbersField(operator, 'windowSize');
  const elements = productOf(windowSize);
  const most = Math.max(MOST_ELEMENTS, 2 * productOf(sizes));
  if (elements <= most) return;
  const why = 'it takes one after the other for each element of the output, in the padding too';
  throw refuse(operator, 'ERR_OUT_OF_RANGE', 'windowSize', `at most ${most} elements`, `${elements}`, why);
}

function productOf(sizes: readonly number[]): number {
  return sizes.reduce((product, size) => product * size, 1);
}

/** The last step goes one dilation beyond the padded image. */
function positionsFit(operator: ResolvedOperator, size: number, i: number): void {
  const names = ['startPadding', 'endPadding', 'dilations'].filter((name) => name in operator.fields);
  const numbers = names.map((name) => numbersField(operator, name)[i] ?? 0);
  const last = numbers.reduce((sum, number) => sum + number, size);
  if (last < 2 ** 31) return;
  const most = Math.max(...numbers);
  const why = `size, paddings and dilation are ${last} together`;
  throw refuse(operator, 'ERR_OUT_OF_RANGE', `${names[numbers.indexOf(most)]}[${i}]`, 'positions below 2^31', `${most}`, why);
}

/** How many places a window has along dimension `i` of the image. */
function placesOf(operator: ResolvedOperator, size: number, i: number): number {
  const window = atLeastOne(operator, 'windowSize', i);
  const stride = atLeastOne(operator, 'strides', i);
  const dilation = 'dilations' in operator.fields ? atLeastOne(operator, 'dilations', i) : 1;
  const [start = 0, end = 0] = ['startPadding', 'endPadding'].map((name) => numbersField(operator, name)[i]);
  const padded = size + start + end;
  const span = (window - 1) * dilation + 1;
  if (span > padded) {
    const why = `with its dilation it spans ${span} of the padded ${padded}`;
    throw refuse(operator, 'ERR_OUT_OF_RANGE', `windowSize[${i}]`, 'a smaller window', `${window}`, why);
  }
  return Math.floor((padded - span) / stride) + 1;
}

function atLeastOne(operator: ResolvedOperator, name: string, i: number): number {
  const value = numbersField(operator, name)[i] ?? 0;
  if (value < 1) throw refuse(operator, 'ERR_OUT_OF_RANGE', `${name}[${i}]`, 'at least 1', `${value}`);
  return value;
}
