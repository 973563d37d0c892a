/** Convolutions, of tensors [batch, channels, …space] of one to three dimensions of space. */
import { list } from '../../errors.js';
import { onePerSpace } from '../count.js';
import { dilatedSize, positionCount } from '../dilated-window.js';
import type { Resolved, ResolvedTensor } from '../resolved.js';
import { strictly } from '../strict.js';
import {
  equal,
  hasSizes,
  numbersAtLeastOne,
  refuse,
  sameDataType,
  sameDimensionCount,
  sameSizes,
  sizesUnlessGiven,
  type Rule,
  type WithNumbers,
  type WithTensors,
} from './rule.js';

/** The fields that all have; those of integers go forward. */
type Convolution = WithTensors<'inputTensor' | 'filterTensor' | 'outputTensor'> &
  WithNumbers<'strides' | 'dilations' | 'startPadding' | 'endPadding'> & {
    readonly dimensionCount: number;
    readonly groupCount: number;
    readonly outputPadding?: readonly number[];
  };

/**
 * All tensors have one data type and one dimension count. `strides`, `dilations` and paddings have an element for each
 * dimension of space.
 * `inputTensor` and `outputTensor` have the same batch. `groupCount` divides the channels of both.
 * Forward, `filterTensor` is [output channels, input channels / `groupCount`, …window]; backward, [input channels, output
 * channels / `groupCount`, …window].
 * `biasTensor` is [1, output channels, 1, …].
 * `strides` and `dilations` are at least 1. A window of w elements reaches over r = (w - 1) × dilation + 1 of them.
 * Forward, the space of `outputTensor` is floor((input + start + end - r) / stride) + 1 + output padding; backward,
 * (input - 1) × stride + r - start - end + output padding.
 */
export const convolution: Rule<'convolution'> = (operator) => {
  sameDataType(operator, 'inputTensor', 'filterTensor', 'biasTensor', 'outputTensor');
  sameDimensionCount(operator, 'inputTensor', 'filterTensor', 'biasTensor', 'outputTensor');
  const isBackward = operator.direction === 'backward';
  channelsFit(operator, isBackward);
  biasFits(operator);
  strictly('convolution-dimensions', () => everyDimension(operator));
  paddingFits(operator);
  placesFit(operator, isBackward ? placesBackward : placesForward);
  strictly('convolution-of-whole-input', () => notOfWholeInput(operator));
};

/**
 * `inputTensor`, `filterTensor` and `outputTensor` have one dimension count. `strides`, `dilations` and paddings have an
 * element for each dimension of space.
 * `inputTensor` and `outputTensor` have the same batch. `groupCount` divides the channels of both. `filterTensor` is
 * [output channels, input channels / `groupCount`, …window].
 * A zero point has the data type of its tensor. That of `inputTensor` is [1, …], that of `filterTensor` too or, for one per
 * output channel, [1, output channels, 1, …]; both zero points have one dimension count.
 * `strides` and `dilations` are at least 1. A window of w elements reaches over r = (w - 1) × dilation + 1 of them.
 * The space of `outputTensor` is floor((input + start + end - r) / stride) + 1.
 */
export const convolutionInteger: Rule<'convolutionInteger'> = (operator) => {
  integerConvolution(operator);
  for (const name of ['input', 'filter'] as const) {
    sameDataType(operator, `${name}Tensor` as const, `${name}ZeroPointTensor` as const);
    oneOrPerChannel(operator, `${name}ZeroPointTensor`, operator[`${name}ZeroPointTensor`], name === 'filter');
  }
  strictly('dimension-counts', () => sameDimensionCount(operator, 'inputZeroPointTensor', 'filterZeroPointTensor'));
  windowsFit(operator);
};

/**
 * `inputTensor`, `filterTensor` and `outputTensor` have one dimension count. `strides`, `dilations` and paddings have an
 * element for each dimension of space.
 * `inputTensor` and `outputTensor` have the same batch. `groupCount` divides the channels of both. `filterTensor` is
 * [output channels, input channels / `groupCount`, …window].
 * Scales are [1, …]; that of `filterTensor` can also be [1, output channels, 1, …].
 * A zero point has the data type of its tensor and the sizes of its scale.
 * `biasTensor` is [1, output channels, 1, …], of the dimension count of `outputTensor`.
 * `strides` and `dilations` are at least 1. A window of w elements reaches over r = (w - 1) × dilation + 1 of them.
 * The space of `outputTensor` is floor((input + start + end - r) / stride) + 1.
 * The data type of `outputTensor` must be given where there is no `outputZeroPointTensor`.
 */
export const quantizedLinearConvolution: Rule<'quantizedLinearConvolution'> = (operator) => {
  integerConvolution(operator);
  for (const name of ['input', 'filter', 'output'] as const) {
    const [scale, zeroPoint] = [`${name}ScaleTensor`, `${name}ZeroPointTensor`] as const;
    oneOrPerChannel(operator, scale, operator[scale], name === 'filter');
    sameDataType(operator, `${name}Tensor` as const, zeroPoint);
    sameDimensionCount(operator, scale, zeroPoint);
    sameSizes(operator, scale, zeroPoint);
  }
  biasFits(operator);
  strictly('dimension-counts', () => sameDimensionCount(operator, 'outputTensor', 'biasTensor'));
  windowsFit(operator);
};

function integerConvolution(operator: Convolution): void {
  channelsFit(operator, false);
  strictly('dimension-counts', () => sameDimensionCount(operator, 'inputTensor', 'filterTensor', 'outputTensor'));
}

function windowsFit(operator: Convolution): void {
  strictly('convolution-dimensions', () => everyDimension(operator));
  placesFit(operator, placesForward);
}

/** A transposed convolution's filters lie as those of the convolution do whose transpose it is. */
function channelsFit(operator: Convolution, isBackward: boolean): void {
  sizesUnlessGiven(operator.outputTensor, () => outputSizes(operator, isBackward));
  const [batch = 1, inputs = 1] = operator.inputTensor.sizes;
  const [, outputs = 1, ...places] = operator.outputTensor.sizes;
  const groups = operator.groupCount;
  for (const [name, channels] of [
    ['inputTensor', inputs],
    ['outputTensor', outputs],
  ] as const) {
    if (groups > 0 && channels % groups === 0) continue;
    const why = `${name} has ${channels} channels`;
    throw refuse(operator, 'ERR_OUT_OF_RANGE', 'groupCount', 'a divisor of the channels', `${groups}`, why);
  }
  hasSizes(operator, 'outputTensor', [batch, outputs, ...places], 'with the batch of inputTensor');
  const window = operator.filterTensor.sizes.slice(2);
  const [from, to] = isBackward ? [inputs, outputs / groups] : [outputs, inputs / groups];
  const why = isBackward ? 'input channels, output channels of a group' : 'output channels, input channels of a group';
  hasSizes(operator, 'filterTensor', [from, to, ...window], why);
}

function outputSizes(operator: Convolution, isBackward: boolean): readonly number[] {
  const [batch = 1] = operator.inputTensor.sizes;
  const [first = 1, second = 1] = operator.filterTensor.sizes;
  const channels = isBackward ? second * operator.groupCount : first;
  return [batch, channels, ...placesIn(operator, isBackward ? placesBackward : placesForward)];
}

/** [1, output channels, 1, …], if there is one. */
function biasFits(operator: Resolved<'convolution' | 'quantizedLinearConvolution'>): void {
  const { biasTensor: bias } = operator;
  if (bias === null) return;
  const [, channels = 1] = operator.outputTensor.sizes;
  hasSizes(
    operator,
    'biasTensor',
    bias.sizes.map((_, axis) => (axis === 1 ? channels : 1)),
    'one for each output channel',
  );
}

function oneOrPerChannel(operator: Convolution, name: string, parameter: ResolvedTensor | null, maySplit: boolean): void {
  if (parameter === null) return;
  const { sizes } = parameter;
  const [, channels = 1] = operator.outputTensor.sizes;
  const isSplit = maySplit && sizes[1] === channels;
  const other = sizes.findIndex((size, axis) => size !== 1 && !(isSplit && axis === 1));
  if (other < 0) return;
  const expected = maySplit ? `1 for each, or [1, ${channels}, 1, …]` : '1 for each dimension';
  throw refuse(operator, 'ERR_SIZES', `${name}.sizes`, expected, list(sizes));
}

function everyDimension(operator: Convolution): void {
  const space = operator.inputTensor.sizes.length - 2;
  const given = operator.dimensionCount;
  if (given === space) return;
  throw refuse(operator, 'ERR_DIMENSION_COUNT', 'strides', onePerSpace('inputTensor', space), `${given}`);
}

/** The padding of the output is a part of it, and not all. */
function paddingFits(operator: Resolved<'convolution'>): void {
  const places = operator.outputTensor.sizes.slice(2);
  operator.outputPadding.forEach((padding, axis) => {
    const size = places[axis] ?? 1;
    if (padding < size) return;
    throw refuse(operator, 'ERR_OUT_OF_RANGE', `outputPadding[${axis}]`, `less than the ${size} of outputTensor`, `${padding}`);
  });
}

/** One dimension of space. */
interface Axis {
  readonly size: number;
  readonly dilated: number;
  readonly stride: number;
  /** At both ends. */
  readonly padding: number;
}

const placesForward = ({ size, dilated, stride, padding }: Axis): number => positionCount(size + padding, dilated, stride);
const placesBackward = ({ size, dilated, stride, padding }: Axis): number => (size - 1) * stride + dilated - padding;

function placesFit(operator: Convolution, placesOf: (axis: Axis) => number): void {
  strictly('zero-dilation', () => numbersAtLeastOne(operator, 'dilations'));
  strictly('convolution-places', () => {
    const [batch = 1, channels = 1] = operator.outputTensor.sizes;
    const sizes = [batch, channels, ...placesIn(operator, placesOf)];
    hasSizes(operator, 'outputTensor', sizes, 'batch, channels, and the places of the window');
  });
}

function placesIn(operator: Convolution, placesOf: (axis: Axis) => number): number[] {
  const strides = numbersAtLeastOne(operator, 'strides');
  const { dilations, startPadding: starts, endPadding: ends, outputPadding = [] } = operator;
  const windows = operator.filterTensor.sizes.slice(2);
  const [, , ...space] = operator.inputTensor.sizes;
  return space.map((size, axis) => {
    const dilated = dilatedSize(windows[axis] ?? 1, dilations[axis] ?? 1);
    const padding = (starts[axis] ?? 0) + (ends[axis] ?? 0);
    const count = placesOf({ size, dilated, stride: strides[axis] ?? 1, padding });
    if (count >= 1) return count + (outputPadding[axis] ?? 0);
    const why = `${size} elements with ${padding} of padding leave no place for a window that reaches over ${dilated}`;
    throw refuse(operator, 'ERR_OUT_OF_RANGE', `filterTensor.sizes[${axis + 2}]`, 'a window that fits', `${windows[axis]}`, why);
  });
}

/** DirectML makes a product of matrices of it: all that an image has times all that a filter has. */
function notOfWholeInput(operator: Resolved<'convolution'>): void {
  const { mode, direction, groupCount, outputPadding } = operator;
  const space = operator.inputTensor.sizes.slice(2);
  const window = operator.filterTensor.sizes.slice(2);
  const places = operator.outputTensor.sizes.slice(2);
  const isPlain = mode === 'crossCorrelation' && direction === 'forward' && groupCount === 1 && window.length < 3;
  const isWhole = equal(space, window) && places.every((size, axis) => size - (outputPadding[axis] ?? 0) === 1);
  if (!isPlain || !isWhole) return;
  for (const [axis, size] of window.entries()) {
    if (size === 1) continue;
    only(operator, 'dilations', axis, 1);
    only(operator, 'startPadding', axis, 0);
  }
}

function only(operator: Resolved<'convolution'>, name: 'dilations' | 'startPadding', axis: number, expected: number): void {
  const given = operator[name][axis];
  if (given === expected) return;
  const why = 'for the one place of a window as large as the input';
  throw refuse(operator, 'ERR_FIELD_COMBINATION', `${name}[${axis}]`, `${expected}`, `${given}`, why);
}
