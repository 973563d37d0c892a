/** The positions that resampling reads along each dimension, and the input elements that they lie between. */
import { isFloat } from '../tensors/data-types.js';
import type { AxisDirection, InterpolationMode } from '../tensors/generated/enums.js';
import type { TensorView } from './tensor-view.js';
import { productOf } from '../tensors/tensor-size.js';

/** A function of the output coordinate: its position in the input, in elements, or a number that belongs to that position. */
export type OutputFunction = (output: number) => number;

/** Rounds a position to the element that is taken for it. */
export type Rounding = (position: number) => number;

/**
 * How one dimension is sampled. `low` is the first of the two elements that an output coordinate lies between; it may be outside
 * the input.
 */
export interface Sampling {
  readonly low: OutputFunction;
  /** The weight of the second element; null if only the first one counts. */
  readonly weight: OutputFunction | null;
}

export interface Axis {
  readonly scale: number;
  /** Added to input coordinates before they are scaled, and to output coordinates afterwards. */
  readonly inputPixelOffset: number;
  readonly outputPixelOffset: number;
  /** 1 / scale as float32, by which DirectML multiplies. It is rounded down if the next element is taken. */
  readonly reciprocal: number;
}

/** The fields of operators that resample. The older ones have no offsets and no rounding direction. */
interface ResamplingFields {
  readonly interpolationMode: InterpolationMode;
  readonly roundingDirection?: AxisDirection;
  readonly scales: readonly number[];
  readonly inputPixelOffsets?: readonly number[];
  readonly outputPixelOffsets?: readonly number[];
}

export function axesOf(operator: ResamplingFields): Axis[] {
  const { scales, inputPixelOffsets, outputPixelOffsets } = operator;
  const isNext = !isLinear(operator) && operator.roundingDirection === 'increasing';
  return scales.map((scale, axis) => ({
    scale,
    reciprocal: isNext ? roundedDownToFloat32(1 / scale) : Math.fround(1 / scale),
    inputPixelOffset: inputPixelOffsets?.[axis] ?? 0.5,
    outputPixelOffset: outputPixelOffsets?.[axis] ?? -0.5,
  }));
}

/** The largest float32 that is not greater than the value. */
function roundedDownToFloat32(value: number): number {
  const nearestOne = Math.fround(value);
  return nearestOne > value ? nearestOne - 2 ** (Math.floor(Math.log2(value)) - 23) : nearestOne;
}

export const halfUp: Rounding = (x) => Math.floor(x + 0.5);

/**
 * Without a rounding direction halves round up, except for 8-bit integers, for which DirectML always takes the element before.
 */
export function roundingOf({ roundingDirection }: ResamplingFields, { dataType }: TensorView): Rounding {
  if (roundingDirection === undefined) return isFloat(dataType) ? halfUp : Math.floor;
  return roundingDirection === 'increasing' ? Math.ceil : Math.floor;
}

export function isLinear({ interpolationMode }: Pick<ResamplingFields, 'interpolationMode'>): boolean {
  return interpolationMode === 'linear';
}

/** The input position of an output coordinate. It is computed in float32, because rounding decides between two elements. */
export function position(axis: Axis): OutputFunction {
  return (output) => Math.fround(scaledCoordinate(axis, output) - axis.inputPixelOffset);
}

export function nearest(at: OutputFunction, rounding: Rounding): Sampling {
  return { low: (output) => rounding(at(output)), weight: null };
}

export function between(at: OutputFunction): Sampling {
  const low: OutputFunction = (output) => Math.floor(at(output));
  return { low, weight: (output) => Math.fround(at(output) - low(output)) };
}

/**
 * Linear interpolation as DirectML's forward operators do it.
 *
 * To find the element before a position, DirectML rounds the scaled coordinate down, and goes back by one more if its fraction is
 * less than the input's pixel offset. An offset outside 0 to 1 therefore only affects the weight, which then extrapolates. This
 * holds for the first of the consecutive outputs that a thread computes along one dimension. The others lie between the elements
 * next to their positions.
 *
 * A dimension that is neither scaled nor shifted has no weights, only the element before the position. If no dimension is scaled
 * or shifted, the outermost one has weights all the same.
 */
export function interpolations(
  axes: readonly Axis[],
  sizes: readonly number[],
  targetSizes: readonly number[],
  { order, strides }: Traversal,
): Sampling[] {
  const moves = axes.map((axis, i) => isMoved(axis) && Math.max(sizes[i] ?? 1, targetSizes[i] ?? 1) > 1);
  const looped = loopedAxis(targetSizes, { order, strides });
  return axes.map((axis, i) => {
    const perThread = i === looped ? outputsPerThread(targetSizes[i] ?? 1) : 1;
    const [first, next] = [fromElementBefore(axis), between(position(axis))];
    const isFirst = (output: number) => output % perThread === 0;
    const low: OutputFunction = (output) => (isFirst(output) ? first : next).low(output);
    const weight: OutputFunction = (output) => (isFirst(output) ? first : next).weight?.(output) ?? 0;
    const isWeighed = moves[i] === true || (i === order[0] && !moves.includes(true));
    return { low, weight: isWeighed ? weight : null };
  });
}

/**
 * How DirectML traverses the elements that it computes: the order of dimensions from the outermost inwards, and the stride of
 * each in memory.
 */
interface Traversal {
  readonly order: readonly number[];
  readonly strides: readonly number[];
}

/**
 * DirectML traverses a packed output in order, and any other output by its strides, with dimensions of size 1 last. For integers
 * it computes a float32 tensor in a layout that it knows, with conversions before and after. `targetSizes` are the sizes after the
 * current pass.
 */
export function traversalOf(input: TensorView, output: TensorView, targetSizes: readonly number[]): Traversal {
  const axes = targetSizes.map((_, axis) => axis);
  const isLong = (axis: number) => (targetSizes[axis] ?? 1) > 1;
  const onesLast = (order: readonly number[]) => [...order.filter(isLong), ...order.filter((axis) => !isLong(axis))];
  const { dataType, offsets, strides } = output;
  if (isFloat(dataType) && offsets !== null) {
    return { order: onesLast(axes.sort((a, b) => (strides[b] ?? 1) - (strides[a] ?? 1))), strides };
  }
  const layout = isFloat(dataType) ? LAYOUTS[0] : commonLayout(input, output);
  const isPacked = layout.filter(isLong).every((axis, i, long) => axis >= (long[i - 1] ?? axis));
  const order = isPacked ? axes : onesLast(layout.filter((axis) => axis < axes.length));
  return { order, strides: axes.map((axis) => productOf(order.slice(order.indexOf(axis) + 1).map((i) => targetSizes[i] ?? 1))) };
}

/** Orders of four dimensions, from the outermost inwards. */
const LAYOUTS = [
  [0, 1, 2, 3],
  [0, 2, 3, 1],
  [0, 2, 1, 3],
  [1, 2, 3, 0],
  [1, 2, 0, 3],
] as const;

type Layout = (typeof LAYOUTS)[number];

/** A layout that both tensors have; else one of the input, else one of the output, else that of packed tensors. */
function commonLayout(input: TensorView, output: TensorView): Layout {
  const [ofInput, ofOutput] = [input, output].map(layoutsOf);
  const common = ofInput?.find((layout) => ofOutput?.includes(layout));
  return common ?? ofInput?.[0] ?? ofOutput?.[0] ?? LAYOUTS[0];
}

/** The layouts in which the tensor's strides never increase inwards. Dimensions of size 1 and broadcast ones do not count. */
function layoutsOf({ sizes, strides }: TensorView): Layout[] {
  return LAYOUTS.filter((layout) => {
    const counted = layout.filter((axis) => (sizes[axis] ?? 1) > 1 && strides[axis] !== 0).map((axis) => strides[axis] ?? 1);
    return counted.every((stride, i) => stride <= (counted[i - 1] ?? stride));
  });
}

function isMoved({ scale, inputPixelOffset, outputPixelOffset }: Axis): boolean {
  return scale !== 1 || inputPixelOffset !== -outputPixelOffset;
}

function fromElementBefore(axis: Axis): Sampling {
  const low: OutputFunction = (output) => {
    const scaled = scaledCoordinate(axis, output);
    return Math.floor(scaled) - (Math.fround(scaled - Math.floor(scaled)) < axis.inputPixelOffset ? 1 : 0);
  };
  const weight: OutputFunction = (output) => {
    return Math.fround(Math.fround(scaledCoordinate(axis, output) - low(output)) - axis.inputPixelOffset);
  };
  return { low, weight };
}

function scaledCoordinate({ reciprocal, outputPixelOffset }: Axis, output: number): number {
  return Math.fround(Math.fround(output - outputPixelOffset) * reciprocal);
}

/**
 * The innermost dimension along which a thread computes more than one output and whose stride is at least 8; else the outermost
 * dimension.
 */
function loopedAxis(targetSizes: readonly number[], { order, strides }: Traversal): number | undefined {
  return order.findLast((axis) => (strides[axis] ?? 1) >= 8 && outputsPerThread(targetSizes[axis] ?? 1) > 1) ?? order[0];
}

/** Outputs per thread: 8 or 4 if the dimension has exactly, or at least twice, as many; else 1. */
function outputsPerThread(targetSize: number): number {
  return [8, 4].find((count) => targetSize === count || targetSize >= 2 * count) ?? 1;
}
