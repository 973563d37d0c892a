/** Convolutions of tensors with the sizes [batch, channels, …space], where space has one to three dimensions. */
import { list } from '../../values/errors.js';
import { onePerSpace } from '../../descriptors/count.js';
import { dilatedSize, positionCount } from '../../descriptors/dilated-window.js';
import { needSizes, stateSizes, type Drafted } from '../../descriptors/drafted.js';
import { layoutHint } from '../../descriptors/image-layout.js';
import type { ResolvedTensor } from '../../descriptors/resolved.js';
import { strictly } from '../../descriptors/strict.js';
import { equal, hasSizes, numbersAtLeastOne, sameDataType, sameDimensionCount, sameSizes } from '../../descriptors/checks.js';
import { refuse, type Rule, type WithInputs, type WithNumbers, type WithTensors } from '../../descriptors/rule.js';

/** The fields that all convolutions have. The integer convolutions have no `direction`: they are always forward. */
type Convolution = WithInputs<'inputTensor' | 'filterTensor'> &
  WithTensors<'outputTensor'> &
  WithNumbers<'strides' | 'dilations' | 'startPadding' | 'endPadding'> & {
    readonly dimensionCount: number;
    readonly groupCount: number;
    readonly outputPadding?: readonly number[];
  };

/**
 * All tensors have the same data type and the same dimension count. {@inheritDoc channelsFit} If `direction` is
 * `'forward'`, `filterTensor` has the sizes [output channels, input channels / `groupCount`, …window]. If `direction`
 * is `'backward'`, `filterTensor` has the sizes [input channels, output channels / `groupCount`, …window].
 * `biasTensor` has the sizes [1, output channels, 1, …]. {@inheritDoc outputSizesFit} Forward, each spatial size of
 * `outputTensor` is floor((input + start padding + end padding - span) / stride) + 1 + output padding; backward, it
 * is (input - 1) × stride + span - start padding - end padding + output padding.
 */
export const convolution: Rule<'convolution'> = (operator) => {
  sameDataType(operator, 'inputTensor', 'filterTensor', 'biasTensor', 'outputTensor');
  sameDimensionCount(operator, 'inputTensor', 'filterTensor', 'biasTensor', 'outputTensor');
  const isBackward = operator.direction === 'backward';
  channelsFit(operator, isBackward);
  biasFits(operator);
  strictly('convolution-dimensions', () => everyDimension(operator));
  paddingFits(operator);
  outputSizesFit(operator, isBackward ? backwardSize : forwardSize);
  strictly('convolution-of-whole-input', () => notOfWholeInput(operator));
};

/**
 * {@inheritDoc integerConvolution} {@inheritDoc forwardSizesFit} Each zero point has the data type of its tensor, and both
 * have the same dimension count. All sizes of `inputZeroPointTensor` are 1. The sizes of `filterZeroPointTensor` are
 * all 1, or [1, output channels, 1, …] for one zero point per output channel.
 */
export const convolutionInteger: Rule<'convolutionInteger'> = (operator) => {
  integerConvolution(operator);
  for (const name of ['input', 'filter'] as const) {
    sameDataType(operator, `${name}Tensor` as const, `${name}ZeroPointTensor` as const);
    oneOrPerChannel(operator, `${name}ZeroPointTensor`, operator[`${name}ZeroPointTensor`], name === 'filter');
  }
  strictly('dimension-counts', () => sameDimensionCount(operator, 'inputZeroPointTensor', 'filterZeroPointTensor'));
  forwardSizesFit(operator);
};

/**
 * {@inheritDoc integerConvolution} {@inheritDoc forwardSizesFit} All sizes of `inputScaleTensor` and `outputScaleTensor`
 * are 1. The sizes of `filterScaleTensor` are all 1, or [1, output channels, 1, …] for one scale per output channel.
 * Each zero point has the data type of its tensor and the sizes of its scale. `biasTensor` has the sizes [1, output
 * channels, 1, …] and the dimension count of `outputTensor`.
 * The data type of `outputTensor` must be given if there is no `outputZeroPointTensor`.
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
  forwardSizesFit(operator);
};

/**
 * `inputTensor`, `filterTensor` and `outputTensor` have the same dimension count. {@inheritDoc channelsFit}
 * `filterTensor` has the sizes [output channels, input channels / `groupCount`, …window].
 */
function integerConvolution(operator: Convolution): void {
  channelsFit(operator, false);
  strictly('dimension-counts', () => sameDimensionCount(operator, 'inputTensor', 'filterTensor', 'outputTensor'));
}

/**
 * {@inheritDoc outputSizesFit} Each spatial size of `outputTensor` is floor((input + start padding + end padding - span) /
 * stride) + 1.
 */
function forwardSizesFit(operator: Convolution): void {
  strictly('convolution-dimensions', () => everyDimension(operator));
  outputSizesFit(operator, forwardSize);
}

/**
 * `inputTensor` has the sizes [batch, input channels, …space], and `outputTensor` [batch, output channels, …space].
 * `groupCount` divides both channel counts.
 */
function channelsFit(operator: Convolution, isBackward: boolean): void {
  const [, outputs = 1, ...outputSpace] = stateSizes(operator.outputTensor, () => outputSizes(operator, isBackward));
  const [batch = 1, inputs = 1] = operator.inputTensor.sizes;
  const groups = operator.groupCount;
  for (const [name, channels] of [
    ['inputTensor', inputs],
    ['outputTensor', outputs],
  ] as const) {
    if (groups > 0 && channels % groups === 0) continue;
    const why = withHint(`${name} has ${channels} channels`, layoutOf(operator, isBackward));
    throw refuse(operator, 'ERR_OUT_OF_RANGE', 'groupCount', 'a divisor of the channels', `${groups}`, why);
  }
  hasSizes(operator, 'outputTensor', [batch, outputs, ...outputSpace], 'with the batch of inputTensor');
  const window = operator.filterTensor.sizes.slice(2);
  // Backward uses the filter layout of the forward convolution that it transposes.
  const [from, to] = isBackward ? [inputs, outputs / groups] : [outputs, inputs / groups];
  const why = isBackward ? 'input channels, output channels of a group' : 'output channels, input channels of a group';
  hasSizes(operator, 'filterTensor', [from, to, ...window], why, () => layoutOf(operator, isBackward));
}

/** How the tensors would fit if their channels are last. */
function layoutOf({ inputTensor, filterTensor, groupCount }: Convolution, isBackward: boolean): string | undefined {
  return layoutHint({ input: inputTensor.sizes, filter: filterTensor.sizes, groupCount, isBackward });
}

function withHint(why: string, hint: string | undefined): string {
  return hint === undefined ? why : `${why}; ${hint}`;
}

function outputSizes(operator: Convolution, isBackward: boolean): readonly number[] {
  const [batch = 1] = operator.inputTensor.sizes;
  const [first = 1, second = 1] = operator.filterTensor.sizes;
  const channels = isBackward ? second * operator.groupCount : first;
  return [batch, channels, ...outputSpaceOf(operator, isBackward ? backwardSize : forwardSize)];
}

/** The bias, if it is given, has the sizes [1, output channels, 1, …]. */
function biasFits(operator: Drafted<'convolution' | 'quantizedLinearConvolution'>): void {
  const { biasTensor: bias } = operator;
  if (bias === null) return;
  const [, channels = 1] = needSizes(operator.outputTensor);
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
  const [, channels = 1] = needSizes(operator.outputTensor);
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

/** The output padding is part of the output, but not all of it. */
function paddingFits(operator: Drafted<'convolution'>): void {
  const outputSpace = needSizes(operator.outputTensor).slice(2);
  operator.outputPadding.forEach((padding, axis) => {
    const size = outputSpace[axis] ?? 1;
    if (padding < size) return;
    throw refuse(operator, 'ERR_OUT_OF_RANGE', `outputPadding[${axis}]`, `less than the ${size} of outputTensor`, `${padding}`);
  });
}

/** One spatial dimension. */
interface Axis {
  readonly size: number;
  readonly dilated: number;
  readonly stride: number;
  /** The sum of start and end padding. */
  readonly padding: number;
}

const forwardSize = ({ size, dilated, stride, padding }: Axis): number => positionCount(size + padding, dilated, stride);
const backwardSize = ({ size, dilated, stride, padding }: Axis): number => (size - 1) * stride + dilated - padding;

/**
 * `strides`, `dilations`, `startPadding` and `endPadding` have one element for each spatial dimension. Strides and
 * dilations are at least 1. `outputPadding` has one element for each spatial dimension. A window of w elements spans
 * (w - 1) × dilation + 1 elements of its dimension.
 */
function outputSizesFit(operator: Convolution, outputSizeOf: (axis: Axis) => number): void {
  strictly('zero-dilation', () => numbersAtLeastOne(operator, 'dilations'));
  strictly('convolution-places', () => {
    const [batch = 1, channels = 1] = needSizes(operator.outputTensor);
    const sizes = [batch, channels, ...outputSpaceOf(operator, outputSizeOf)];
    hasSizes(operator, 'outputTensor', sizes, 'batch, channels, and the places of the window');
  });
}

function outputSpaceOf(operator: Convolution, outputSizeOf: (axis: Axis) => number): number[] {
  const strides = numbersAtLeastOne(operator, 'strides');
  const { dilations, startPadding: starts, endPadding: ends, outputPadding = [] } = operator;
  const window = operator.filterTensor.sizes.slice(2);
  const [, , ...space] = operator.inputTensor.sizes;
  return space.map((size, axis) => {
    const dilated = dilatedSize(window[axis] ?? 1, dilations[axis] ?? 1);
    const padding = (starts[axis] ?? 0) + (ends[axis] ?? 0);
    const count = outputSizeOf({ size, dilated, stride: strides[axis] ?? 1, padding });
    if (count >= 1) return count + (outputPadding[axis] ?? 0);
    const problem = `${size} elements with ${padding} of padding leave no place for a window that reaches over ${dilated}`;
    const why = withHint(problem, layoutOf(operator, outputSizeOf === backwardSize));
    throw refuse(operator, 'ERR_OUT_OF_RANGE', `filterTensor.sizes[${axis + 2}]`, 'a window that fits', `${window[axis]}`, why);
  });
}

/** DirectML computes this case as a matrix product: all elements of an image times all elements of a filter. */
function notOfWholeInput(operator: Drafted<'convolution'>): void {
  const { mode, direction, groupCount, outputPadding } = operator;
  const space = operator.inputTensor.sizes.slice(2);
  const window = operator.filterTensor.sizes.slice(2);
  const outputSpace = needSizes(operator.outputTensor).slice(2);
  const isPlain = mode === 'crossCorrelation' && direction === 'forward' && groupCount === 1 && window.length < 3;
  const isWhole = equal(space, window) && outputSpace.every((size, axis) => size - (outputPadding[axis] ?? 0) === 1);
  if (!isPlain || !isWhole) return;
  for (const [axis, size] of window.entries()) {
    if (size === 1) continue;
    only(operator, 'dilations', axis, 1);
    only(operator, 'startPadding', axis, 0);
  }
}

function only(operator: Drafted<'convolution'>, name: 'dilations' | 'startPadding', axis: number, expected: number): void {
  const given = operator[name][axis];
  if (given === expected) return;
  const why = 'for the one place of a window as large as the input';
  throw refuse(operator, 'ERR_FIELD_COMBINATION', `${name}[${axis}]`, `${expected}`, `${given}`, why);
}
