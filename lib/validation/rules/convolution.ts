/** Convolutions, of tensors [batch, channels, …space] of one to three dimensions of space. */
import { list } from '../input.js';
import { strictly } from '../strict.js';
import {
  equal,
  hasSizes,
  isTensor,
  numbersAtLeastOne,
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
export const convolution: Rule = (operator) => {
  const others = ['filterTensor', 'biasTensor', 'outputTensor'].filter((name) => isTensor(operator.fields[name]));
  sameDataType(operator, 'inputTensor', ...others);
  sameDimensionCount(operator, 'inputTensor', ...others);
  const isBackward = operator.fields['direction'] === 'backward';
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
export const convolutionInteger: Rule = (operator) => {
  integerConvolution(operator);
  for (const tensor of ['inputTensor', 'filterTensor']) {
    const zeroPoint = zeroPointOf(operator, tensor);
    if (zeroPoint === null) continue;
    sameDataType(operator, tensor, zeroPoint);
    oneOrPerChannel(operator, zeroPoint, tensor === 'filterTensor');
  }
  const zeroPoints = ['inputTensor', 'filterTensor'].flatMap((tensor) => zeroPointOf(operator, tensor) ?? []);
  const [first, ...others] = zeroPoints;
  if (first !== undefined) strictly('dimension-counts', () => sameDimensionCount(operator, first, ...others));
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
export const quantizedLinearConvolution: Rule = (operator) => {
  integerConvolution(operator);
  for (const tensor of ['inputTensor', 'filterTensor', 'outputTensor']) {
    const scale = tensor.replace('Tensor', 'ScaleTensor');
    oneOrPerChannel(operator, scale, tensor === 'filterTensor');
    const zeroPoint = zeroPointOf(operator, tensor);
    if (zeroPoint === null) continue;
    sameDataType(operator, tensor, zeroPoint);
    sameDimensionCount(operator, scale, zeroPoint);
    sameSizes(operator, scale, zeroPoint);
  }
  biasFits(operator);
  if (isTensor(operator.fields['biasTensor'])) strictly('dimension-counts', () => sameDimensionCount(operator, 'outputTensor', 'biasTensor'));
  windowsFit(operator);
};

function integerConvolution(operator: ResolvedOperator): void {
  channelsFit(operator, false);
  strictly('dimension-counts', () => sameDimensionCount(operator, 'inputTensor', 'filterTensor', 'outputTensor'));
}

function windowsFit(operator: ResolvedOperator): void {
  strictly('convolution-dimensions', () => everyDimension(operator));
  placesFit(operator, placesForward);
}

/** A transposed convolution's filters lie as those of the convolution do whose transpose it is. */
function channelsFit(operator: ResolvedOperator, isBackward: boolean): void {
  sizesUnlessGiven(operator, 'outputTensor', () => outputSizes(operator, isBackward));
  const [batch = 1, inputs = 1] = tensorField(operator, 'inputTensor').sizes;
  const [, outputs = 1, ...places] = tensorField(operator, 'outputTensor').sizes;
  const groups = uintField(operator, 'groupCount');
  for (const [name, channels] of [['inputTensor', inputs], ['outputTensor', outputs]] as const) {
    if (groups > 0 && channels % groups === 0) continue;
    const why = `${name} has ${channels} channels`;
    throw refuse(operator, 'ERR_OUT_OF_RANGE', 'groupCount', 'a divisor of the channels', `${groups}`, why);
  }
  hasSizes(operator, 'outputTensor', [batch, outputs, ...places], 'with the batch of inputTensor');
  const window = tensorField(operator, 'filterTensor').sizes.slice(2);
  const [from, to] = isBackward ? [inputs, outputs / groups] : [outputs, inputs / groups];
  const why = isBackward ? 'input channels, output channels of a group' : 'output channels, input channels of a group';
  hasSizes(operator, 'filterTensor', [from, to, ...window], why);
}

function outputSizes(operator: ResolvedOperator, isBackward: boolean): readonly number[] {
  const [batch = 1] = tensorField(operator, 'inputTensor').sizes;
  const [first = 1, second = 1] = tensorField(operator, 'filterTensor').sizes;
  const channels = isBackward ? second * uintField(operator, 'groupCount') : first;
  return [batch, channels, ...placesIn(operator, isBackward ? placesBackward : placesForward)];
}

/** [1, output channels, 1, …], if there is one. */
function biasFits(operator: ResolvedOperator): void {
  const bias = operator.fields['biasTensor'];
  if (!isTensor(bias)) return;
  const [, channels = 1] = tensorField(operator, 'outputTensor').sizes;
  hasSizes(operator, 'biasTensor', bias.sizes.map((_, axis) => (axis === 1 ? channels : 1)), 'one for each output channel');
}

function oneOrPerChannel(operator: ResolvedOperator, name: string, maySplit: boolean): void {
  const { sizes } = tensorField(operator, name);
  const [, channels = 1] = tensorField(operator, 'outputTensor').sizes;
  const isSplit = maySplit && sizes[1] === channels;
  const other = sizes.findIndex((size, axis) => size !== 1 && !(isSplit && axis === 1));
  if (other < 0) return;
  const expected = maySplit ? `1 for each, or [1, ${channels}, 1, …]` : '1 for each dimension';
  throw refuse(operator, 'ERR_SIZES', `${name}.sizes`, expected, list(sizes));
}

function zeroPointOf(operator: ResolvedOperator, tensor: string): string | null {
  const name = tensor.replace('Tensor', 'ZeroPointTensor');
  return isTensor(operator.fields[name]) ? name : null;
}

function everyDimension(operator: ResolvedOperator): void {
  const space = tensorField(operator, 'inputTensor').sizes.length - 2;
  const given = uintField(operator, 'dimensionCount');
  if (given === space) return;
  throw refuse(operator, 'ERR_DIMENSION_COUNT', 'dimensionCount', `${space}, one for each dimension of space`, `${given}`);
}

/** The padding of the output is a part of it, and not all. */
function paddingFits(operator: ResolvedOperator): void {
  const places = tensorField(operator, 'outputTensor').sizes.slice(2);
  numbersField(operator, 'outputPadding').forEach((padding, axis) => {
    const size = places[axis] ?? 1;
    if (padding < size) return;
    throw refuse(operator, 'ERR_OUT_OF_RANGE', `outputPadding[${axis}]`, `less than the ${size} of outputTensor`, `${padding}`);
  });
}

/** One dimension of space. */
interface Axis {
  readonly size: number;
  /** From a window's first element to its last one. */
  readonly reach: number;
  readonly stride: number;
  /** At both ends. */
  readonly padding: number;
}

const placesForward = ({ size, reach, stride, padding }: Axis): number => Math.floor((size + padding - reach) / stride) + 1;
const placesBackward = ({ size, reach, stride, padding }: Axis): number => (size - 1) * stride + reach - padding;

function placesFit(operator: ResolvedOperator, placesOf: (axis: Axis) => number): void {
  strictly('zero-dilation', () => numbersAtLeastOne(operator, 'dilations'));
  strictly('convolution-places', () => {
    const [batch = 1, channels = 1] = tensorField(operator, 'outputTensor').sizes;
    const sizes = [batch, channels, ...placesIn(operator, placesOf)];
    hasSizes(operator, 'outputTensor', sizes, 'batch, channels, and the places of the window');
  });
}

function placesIn(operator: ResolvedOperator, placesOf: (axis: Axis) => number): number[] {
  const strides = numbersAtLeastOne(operator, 'strides');
  const [dilations, starts, ends] = ['dilations', 'startPadding', 'endPadding'].map((name) => numbersField(operator, name));
  const outputPadding = operator.fields['outputPadding'] === undefined ? [] : numbersField(operator, 'outputPadding');
  const windows = tensorField(operator, 'filterTensor').sizes.slice(2);
  const [, , ...space] = tensorField(operator, 'inputTensor').sizes;
  return space.map((size, axis) => {
    const reach = ((windows[axis] ?? 1) - 1) * (dilations?.[axis] ?? 1) + 1;
    const padding = (starts?.[axis] ?? 0) + (ends?.[axis] ?? 0);
    const count = placesOf({ size, reach, stride: strides[axis] ?? 1, padding });
    if (count >= 1) return count + (outputPadding[axis] ?? 0);
    const why = `${size} elements with ${padding} of padding leave no place for a window that reaches over ${reach}`;
    throw refuse(operator, 'ERR_OUT_OF_RANGE', `filterTensor.sizes[${axis + 2}]`, 'a window that fits', `${windows[axis]}`, why);
  });
}

/** DirectML makes a product of matrices of it: all that an image has times all that a filter has. */
function notOfWholeInput(operator: ResolvedOperator): void {
  const { mode, direction, groupCount } = operator.fields;
  const [space = [], window = [], places = []] = ['inputTensor', 'filterTensor', 'outputTensor'].map((name) =>
    tensorField(operator, name).sizes.slice(2),
  );
  const [outputPadding, dilations, starts] = ['outputPadding', 'dilations', 'startPadding'].map((name) => numbersField(operator, name));
  const isPlain = mode === 'crossCorrelation' && direction === 'forward' && groupCount === 1 && window.length < 3;
  const isWhole = equal(space, window) && places.every((size, axis) => size - (outputPadding?.[axis] ?? 0) === 1);
  if (!isPlain || !isWhole) return;
  for (const [axis, size] of window.entries()) {
    if (size === 1) continue;
    only(operator, 'dilations', axis, dilations?.[axis], 1);
    only(operator, 'startPadding', axis, starts?.[axis], 0);
  }
}

function only(operator: ResolvedOperator, name: string, axis: number, given: number | undefined, expected: number): void {
  if (given === expected) return;
  const why = 'for the one place of a window as large as the input';
  throw refuse(operator, 'ERR_FIELD_COMBINATION', `${name}[${axis}]`, `${expected}`, `${given}`, why);
}
