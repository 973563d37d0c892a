/** Where resampling reads, along each dimension: positions in the input, and the elements that they lie between. */
import { isFloat } from '../../../data-types/table.js';
import type { AxisDirection, InterpolationMode } from '../../../schema/generated/enums.js';
import type { TensorView } from './tensor-view.js';
import { productOf } from '../../../validation/tensor-size.js';

/** Of an output coordinate: where it lies in the input, in elements, or a number that goes with that place. */
export type Position = (output: number) => number;

/** Which element a position is nearest to. */
export type Rounding = (position: number) => number;

/** The first of the two elements that output coordinates lie between, which may be outside the input. */
export interface Sampling {
  readonly low: Position;
  /** Of the second element; null where only the first counts. */
  readonly weight: Position | null;
}

export interface Axis {
  readonly scale: number;
  /** Added to input coordinates before, and to output coordinates after they are scaled. */
  readonly before: number;
  readonly after: number;
  /** Of the scale, by which DirectML multiplies; where the next element is taken it is rounded down. */
  readonly reciprocal: number;
}

/** The fields of operators that resample; the first ones have neither offsets nor a direction. */
export interface ResamplingFields {
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
    reciprocal: isNext ? roundedDown(1 / scale) : Math.fround(1 / scale),
    before: inputPixelOffsets?.[axis] ?? 0.5,
    after: outputPixelOffsets?.[axis] ?? -0.5,
  }));
}

/** To the next float32 that is not greater. */
function roundedDown(value: number): number {
  const nearestOne = Math.fround(value);
  return nearestOne > value ? nearestOne - 2 ** (Math.floor(Math.log2(value)) - 23) : nearestOne;
}

export const halfUp: Rounding = (x) => Math.floor(x + 0.5);

/** Without a direction halves go up; of 8-bit integers DirectML always takes the element before. */
export function roundingOf({ roundingDirection }: ResamplingFields, { dataType }: TensorView): Rounding {
  if (roundingDirection === undefined) return isFloat(dataType) ? halfUp : Math.floor;
  return roundingDirection === 'increasing' ? Math.ceil : Math.floor;
}

export function isLinear({ interpolationMode }: Pick<ResamplingFields, 'interpolationMode'>): boolean {
  return interpolationMode === 'linear';
}

/** In float32, for what it rounds off decides between two elements. */
export function position(axis: Axis): Position {
  return (output) => Math.fround(scaledCoordinate(axis, output) - axis.before);
}

export function nearest(at: Position, rounding: Rounding): Sampling {
  return { low: (output) => rounding(at(output)), weight: null };
}

export function between(at: Position): Sampling {
  const low: Position = (output) => Math.floor(at(output));
  return { low, weight: (output) => Math.fround(at(output) - low(output)) };
}

/**
 * Linear interpolation as DirectML's forward operators do it.
 *
 * To find the element before a position, DirectML rounds the scaled coordinate down, and goes back by one more where its
 * fraction is less than the input's offset. An offset outside of 0 to 1 therefore counts in the weight alone, which
 * extrapolates. So it is for the first of the consecutive outputs that a thread computes along one dimension; the others
 * lie between the elements next to their positions.
 *
 * A dimension that does not move has no weights, only the element before the position. If none moves, the outermost has
 * them all the same.
 */
export function interpolations(
  axes: readonly Axis[],
  sizes: readonly number[],
  targets: readonly number[],
  { order, strides }: Traversal,
): Sampling[] {
  const moves = axes.map((axis, i) => isMoved(axis) && Math.max(sizes[i] ?? 1, targets[i] ?? 1) > 1);
  const looped = loopedAxis(targets, { order, strides });
  return axes.map((axis, i) => {
    const perThread = i === looped ? outputsPerThread(targets[i] ?? 1) : 1;
    const [first, next] = [fromElementBefore(axis), between(position(axis))];
    const isFirst = (output: number) => output % perThread === 0;
    const low: Position = (output) => (isFirst(output) ? first : next).low(output);
    const weight: Position = (output) => (isFirst(output) ? first : next).weight?.(output) ?? 0;
    const isWeighed = moves[i] === true || (i === order[0] && !moves.includes(true));
    return { low, weight: isWeighed ? weight : null };
  });
}

/** How DirectML goes through what it computes: its dimensions from the outermost inwards, and the stride of each in memory. */
export interface Traversal {
  readonly order: readonly number[];
  readonly strides: readonly number[];
}

/**
 * It goes through a packed output as it is, and through any other by its strides with the dimensions of one element last. Of
 * integers it computes a float32 tensor in a layout that it knows, from and to which it converts. `targets` are the sizes
 * after the pass at hand.
 */
export function traversalOf(input: TensorView, output: TensorView, targets: readonly number[]): Traversal {
  const axes = targets.map((_, axis) => axis);
  const isLong = (axis: number) => (targets[axis] ?? 1) > 1;
  const onesLast = (order: readonly number[]) => [...order.filter(isLong), ...order.filter((axis) => !isLong(axis))];
  const { dataType, offsets, strides } = output;
  if (isFloat(dataType) && offsets !== null) {
    return { order: onesLast(axes.sort((a, b) => (strides[b] ?? 1) - (strides[a] ?? 1))), strides };
  }
  const layout = isFloat(dataType) ? LAYOUTS[0] : commonLayout(input, output);
  const isPacked = layout.filter(isLong).every((axis, i, long) => axis >= (long[i - 1] ?? axis));
  const order = isPacked ? axes : onesLast(layout.filter((axis) => axis < axes.length));
  return { order, strides: axes.map((axis) => productOf(order.slice(order.indexOf(axis) + 1).map((i) => targets[i] ?? 1))) };
}

/** The dimensions of four from the outermost inwards. */
const LAYOUTS = [
  [0, 1, 2, 3],
  [0, 2, 3, 1],
  [0, 2, 1, 3],
  [1, 2, 3, 0],
  [1, 2, 0, 3],
] as const;

type Layout = (typeof LAYOUTS)[number];

/** One that both tensors have, or else the input's, or else the output's, or else that of packed tensors. */
function commonLayout(input: TensorView, output: TensorView): Layout {
  const [ofInput, ofOutput] = [input, output].map(layoutsOf);
  const common = ofInput?.find((layout) => ofOutput?.includes(layout));
  return common ?? ofInput?.[0] ?? ofOutput?.[0] ?? LAYOUTS[0];
}

/** Those by which strides do not grow, where they count. */
function layoutsOf({ sizes, strides }: TensorView): Layout[] {
  return LAYOUTS.filter((layout) => {
    const counted = layout.filter((axis) => (sizes[axis] ?? 1) > 1 && strides[axis] !== 0).map((axis) => strides[axis] ?? 1);
    return counted.every((stride, i) => stride <= (counted[i - 1] ?? stride));
  });
}

function isMoved({ scale, before, after }: Axis): boolean {
  return scale !== 1 || before !== -after;
}

function fromElementBefore(axis: Axis): Sampling {
  const low: Position = (output) => {
    const scaled = scaledCoordinate(axis, output);
    return Math.floor(scaled) - (Math.fround(scaled - Math.floor(scaled)) < axis.before ? 1 : 0);
  };
  const weight: Position = (output) => {
    return Math.fround(Math.fround(scaledCoordinate(axis, output) - low(output)) - axis.before);
  };
  return { low, weight };
}

function scaledCoordinate({ reciprocal, after }: Axis, output: number): number {
  return Math.fround(Math.fround(output - after) * reciprocal);
}

/** The innermost dimension that leaves 8 outputs or more to other threads and has more than one for each, or the outermost. */
function loopedAxis(targets: readonly number[], { order, strides }: Traversal): number | undefined {
  return order.findLast((axis) => (strides[axis] ?? 1) >= 8 && outputsPerThread(targets[axis] ?? 1) > 1) ?? order[0];
}

/** Along a dimension of so many: all of them, or half of them at most. */
function outputsPerThread(target: number): number {
  return [8, 4].find((count) => target === count || target >= 2 * count) ?? 1;
}
