/**
 * Resampling, along one dimension after the other, the outermost first. Each output element lies between two adjacent input
 * elements, or is one of them. Computed in float32 like DirectML's, whose differences may overflow; integer results are
 * truncated.
 */
import { isFloat } from '../../tensors/data-types.js';
import { interpolated, truncateToFloat16 } from '../../compute/numbers.js';
import { toOutputRange } from '../../compute/scale-bias.js';
import { packedFloats, readNumbers, writeTruncated, type TensorView } from '../../compute/tensor-view.js';
import type { Kernel } from '../../compute/kernel.js';
import {
  axesOf,
  between,
  halfUp,
  interpolations,
  isLinear,
  nearest,
  position,
  roundingOf,
  traversalOf,
  type Axis,
  type OutputFunction,
  type Sampling,
} from '../../compute/sampling.js';
import { productOf } from '../../tensors/tensor-size.js';

/** For each output coordinate, two input coordinates and the weight of the second. */
interface Taps {
  /** The number of input coordinates. */
  readonly size: number;
  readonly first: Uint32Array;
  readonly second: Uint32Array;
  /** Null if only the first counts. */
  readonly weight: Float32Array | null;
}

export const upsample2d: Kernel<'upsample2d'> = (operator, { inputTensor: input, outputTensor: output }) => {
  const isRounded = !isLinear(operator);
  const samplings = input.sizes.map((size, axis) => {
    const at = pixelCenter((output.sizes[axis] ?? 1) / size);
    return isRounded || axis < input.sizes.length - 2 ? nearest(at, halfUp) : between(at);
  });
  resampleBy(input, output, samplings);
};

export const resample: Kernel<'resample' | 'resample1' | 'resample2' | 'resample3'> = (
  operator,
  { inputTensor: input, outputTensor: output },
) => {
  const axes = axesOf(operator);
  const rounding = isLinear(operator) ? null : roundingOf(operator, input);
  if (rounding !== null) {
    resampleBy(
      input,
      output,
      axes.map((axis) => nearest(position(axis), rounding)),
    );
  } else if ('antialiased' in operator && operator.antialiased && axes.some(({ scale }) => scale < 0.5)) {
    downsample(axes, input, output);
  } else {
    const traversal = traversalOf(input, output, output.sizes);
    resampleBy(input, output, interpolations(axes, input.sizes, output.sizes, traversal), traversal.order);
  }
};
export const resample1 = resample;
export const resample2 = resample;
export const resample3 = resample;

/** The position of a pixel's center. Unlike the other operators, upsample2d divides by the scale. */
function pixelCenter(scale: number): OutputFunction {
  return (output) => Math.fround((output + 0.5) / scale) - 0.5;
}

/** Beyond the edges, the first and the last element repeat. */
function tapsOf(size: number, targetSize: number, { low, weight }: Sampling): Taps {
  const first = new Uint32Array(targetSize);
  const second = new Uint32Array(targetSize);
  const inside = (x: number) => Math.min(Math.max(x, 0), size - 1);
  for (let i = 0; i < targetSize; i++) {
    const before = low(i);
    first[i] = inside(before);
    second[i] = inside(before + 1);
  }
  return { size, first, second, weight: weight && Float32Array.from({ length: targetSize }, (_, i) => weight(i)) };
}

/** Resamples along one dimension after the other, in `order`. Dimensions that change nothing are left out. */
function resampleBy(
  input: TensorView,
  output: TensorView,
  samplings: readonly Sampling[],
  order: readonly number[] = samplings.map((_, axis) => axis),
): void {
  const sizes = [...input.sizes];
  const taps = samplings.map((sampling, axis) => tapsOf(sizes[axis] ?? 1, output.sizes[axis] ?? 1, sampling));
  const resized = order.flatMap((axis) => {
    const along = taps[axis];
    return along === undefined || isIdentity(along) ? [] : [{ axis, along }];
  });
  let values = floatsOf(input);
  const memory = packedFloats(output);
  for (const [i, { axis, along }] of resized.entries()) {
    values = gatherAlong(values, sizes, axis, along, i === resized.length - 1 ? memory : null);
    sizes[axis] = along.first.length;
  }
  if (values !== memory) writeTruncated(output, toOutputType(output, values));
}

function isIdentity({ size, first, weight }: Taps): boolean {
  return weight === null && first.length === size && first.every((element, i) => element === i);
}

function floatsOf(input: TensorView): Float32Array {
  return packedFloats(input) ?? Float32Array.from(readNumbers(input));
}

/** Converts results to the output's type: integers are truncated and saturate; floats are truncated when they are written. */
function toOutputType(output: TensorView, values: Float32Array): Float32Array | Float64Array {
  return isFloat(output.dataType) ? values : toOutputRange(Float64Array.from(values), output);
}

/**
 * Antialiased downsampling. It halves sizes repeatedly, to powers of two first, because a single step by more than two would skip
 * elements.
 */
function downsample(axes: readonly Axis[], input: TensorView, output: TensorView): void {
  let sizes = [...input.sizes];
  let values = floatsOf(input);
  for (let pass = 0; pass < 2 || sizes.some((size, axis) => size !== output.sizes[axis]); pass++) {
    const targetSizes = sizes.map((size, axis) => nextSize(size, output.sizes[axis] ?? 1));
    const fitted = axes.map((axis, i) => fittedTo(axis, Math.fround((targetSizes[i] ?? 1) / (sizes[i] ?? 1))));
    const traversal = traversalOf(input, output, targetSizes);
    const samplings = interpolations(fitted, sizes, targetSizes, traversal);
    for (const axis of traversal.order) {
      const [size = 1, targetSize = 1, sampling] = [sizes[axis], targetSizes[axis], samplings[axis]];
      if (sampling !== undefined) values = gatherAlong(values, sizes, axis, tapsOf(size, targetSize, sampling));
      sizes = sizes.with(axis, targetSize);
    }
    if (output.dataType === 'float16') values = Float32Array.from(truncateToFloat16(Float64Array.from(values)));
  }
  writeTruncated(output, toOutputType(output, values));
}

function fittedTo(axis: Axis, scale: number): Axis {
  return { ...axis, scale, reciprocal: Math.fround(1 / scale) };
}

function nextSize(size: number, targetSize: number): number {
  return size > 2 * targetSize ? 2 ** (Math.ceil(Math.log2(size)) - 1) : targetSize;
}

/** Resamples along one axis, into `memory` if it is given. */
function gatherAlong(
  values: Float32Array,
  sizes: readonly number[],
  axis: number,
  taps: Taps,
  memory: Float32Array | null = null,
): Float32Array {
  const [size, targetSize] = [sizes[axis] ?? 1, taps.first.length];
  const inner = productOf(sizes, axis + 1);
  const outer = productOf(sizes, 0, axis);
  const result = memory ?? new Float32Array(outer * targetSize * inner);
  for (let i = 0; i < outer; i++) {
    const [from, to] = [i * size * inner, i * targetSize * inner];
    if (inner === 1) gatherLine(values, from, taps, result, to);
    else gatherRows(values, from, taps, result, to, inner);
  }
  return result;
}

/** Resamples along an axis whose elements are `inner` apart. */
function gatherRows(values: Float32Array, from: number, taps: Taps, result: Float32Array, to: number, inner: number): void {
  const { first, second, weight } = taps;
  for (let i = 0; i < first.length; i++, to += inner) {
    const [a, b] = [from + (first[i] ?? 0) * inner, from + (second[i] ?? 0) * inner];
    if (weight !== null) {
      const w = weight[i] ?? 0;
      for (let k = 0; k < inner; k++) result[to + k] = interpolated(values[a + k] ?? 0, values[b + k] ?? 0, w);
    } else if (inner > 32) {
      result.set(values.subarray(a, a + inner), to);
    } else {
      for (let k = 0; k < inner; k++) result[to + k] = values[a + k] ?? 0;
    }
  }
}

/** Resamples along the last axis, where the loops over `inner` would be all overhead. */
function gatherLine(values: Float32Array, from: number, taps: Taps, result: Float32Array, to: number): void {
  const { first, second, weight } = taps;
  for (let i = 0; i < first.length; i++) {
    const a = values[from + (first[i] ?? 0)] ?? 0;
    result[to + i] = weight === null ? a : interpolated(a, values[from + (second[i] ?? 0)] ?? 0, weight[i] ?? 0);
  }
}
