/**
 * The windows of pooling. A window is a box, so its sum or its largest element is computed along one dimension at a time: first
 * along the image's last dimension, then along the one before on those results, and so on.
 */
import { isFloat, largestFloat32, rangeOf } from '../tensors/data-types.js';
import type { DataType } from '../tensors/generated/enums.js';
import { productOf } from '../tensors/tensor-size.js';
import { pool, poolAlong, type Combine, type WindowAxis } from './pooling-axes.js';
import { MAXIMA, poolBySimd, SUMS } from './pooling-by-simd.js';

/** The fields of a pooling that place its windows, with one element per spatial dimension. */
interface PoolingFields {
  readonly windowSize: readonly number[];
  readonly strides: readonly number[];
  readonly startPadding: readonly number[];
  readonly dilations?: readonly number[];
}

/** The windows along each spatial dimension. `image` and `pooled` are the sizes of whole tensors. */
export function windowAxes(operator: PoolingFields, image: readonly number[], pooled: readonly number[]): WindowAxis[] {
  const { windowSize, strides, startPadding, dilations = [] } = operator;
  return windowSize.map((window, i) => {
    const [imageSize = 1, outputSize = 1, stride = 1] = [image[i + 2], pooled[i + 2], strides[i]];
    const [dilation = 1, start = 0] = [dilations[i], startPadding[i]];
    return windowAxis(imageSize, outputSize, { window, start, stride, dilation });
  });
}

/** The shape of the windows along one dimension; `start` is the padding before the first image element. */
interface WindowShape {
  readonly window: number;
  readonly start: number;
  readonly stride: number;
  readonly dilation: number;
}

export function windowAxis(imageSize: number, outputSize: number, { window, start, stride, dilation }: WindowShape): WindowAxis {
  const taps: WindowAxis['taps'][number][] = [];
  // Only the window elements that lie inside the image at some output position: a window may be far larger than the image.
  const firstTap = Math.max(0, Math.ceil((start - (outputSize - 1) * stride) / dilation));
  const lastTap = Math.min(window - 1, Math.floor((imageSize - 1 + start) / dilation));
  for (let tap = firstTap; tap <= lastTap; tap++) {
    const at = tap * dilation - start;
    const position = Math.max(0, Math.ceil(-at / stride));
    const count = Math.min(outputSize - 1, Math.floor((imageSize - 1 - at) / stride)) - position + 1;
    if (count > 0) taps.push({ position, count, element: at + position * stride });
  }
  return { imageSize, outputSize, stride, taps };
}

/** The sum of each output element's window. */
export function windowSums(values: Float64Array | Float32Array, axes: readonly WindowAxis[]): Float64Array {
  return (
    poolBySimd(values, axes, SUMS, 0) ??
    pool<Float64Array | Float32Array, Float64Array>(values, axes, (length) => new Float64Array(length), add)
  );
}

/** The window sums along one dimension only, whose elements are `inner` apart. */
export function windowSumsAlong(values: Float64Array, axis: WindowAxis, inner: number): Float64Array {
  return poolAlong(values, axis, inner, (length) => new Float64Array(length), add);
}

interface AverageFields extends PoolingFields {
  readonly includePadding: boolean;
}

/** The number of elements that each average of one channel is taken over; a single number for all windows if padding counts. */
export function windowCounts({ includePadding, windowSize }: AverageFields, axes: readonly WindowAxis[]): Float64Array {
  if (includePadding) return Float64Array.of(productOf(windowSize));
  return windowSums(new Float64Array(productOf(axes.map(({ imageSize }) => imageSize))).fill(1), axes);
}

/** Divides sums by counts in place. The counts are those of one channel, or a single one for all windows. */
export function divideByCounts(sums: Float64Array, counts: Float64Array): void {
  for (let start = 0; start < sums.length; start += counts.length) {
    for (let i = 0; i < counts.length; i++) sums[start + i] = (sums[start + i] ?? 0) / (counts[i] ?? 1);
  }
}

/** The lowest finite number of a data type. For float16 it is that of float32, in which float16 is computed. */
export function lowestFinite(dataType: DataType): number {
  return isFloat(dataType) ? -largestFloat32 : rangeOf(dataType).low;
}

/**
 * The largest element of each output element's window, but at least `lowest`. NaN is skipped. The largest of float32 elements is
 * itself float32, so nothing has to be converted on the way.
 */
export function windowMaxima(
  values: Float64Array | Float32Array,
  axes: readonly WindowAxis[],
  lowest: number,
): Float64Array | Float32Array {
  const narrow = values instanceof Float32Array;
  const maxima = narrow ? poolBySimd(values, axes, MAXIMA, lowest) : null;
  if (maxima !== null) return maxima;
  const allocate = (length: number) => (narrow ? new Float32Array(length) : new Float64Array(length)).fill(lowest);
  return pool<Float64Array | Float32Array, Float64Array | Float32Array>(values, axes, allocate, keepLarger);
}

/** In place of an element number: the window lies entirely in the padding. */
export const NO_ELEMENT = 0xffff_ffff;

/** Raises lower values to `lowest`, in place. NaN becomes `lowest` too. */
export function raiseToLowest(lowest: number, values: Float64Array): Float64Array {
  for (let i = 0; i < values.length; i++) if (!((values[i] ?? 0) > lowest)) values[i] = lowest;
  return values;
}

/**
 * The number of the largest element of each output element's window, the first of equal ones. The values must not contain NaN.
 */
export function windowArgmax(values: Float64Array | BigInt64Array | BigUint64Array, axes: readonly WindowAxis[]): Uint32Array {
  const elements = new Uint32Array(values.length).map((_, element) => element);
  return pool<Uint32Array, Uint32Array>(elements, axes, (length) => new Uint32Array(length).fill(NO_ELEMENT), keepArgmax(values));
}

/** For each image element, the sum of the values of all windows that it lies in. */
export function overlapAdd(values: Float64Array, axes: readonly WindowAxis[]): Float64Array {
  let inner = 1;
  return axes.reduceRight((source, { imageSize, outputSize, stride, taps }) => {
    const blocks = source.length / (outputSize * inner);
    const target = new Float64Array(blocks * imageSize * inner);
    for (let block = 0; block < blocks; block++) {
      for (const { position, count, element } of taps) {
        const [to, from] = [(block * imageSize + element) * inner, (block * outputSize + position) * inner];
        add(target, to, stride * inner, source, from, inner, count, inner);
      }
    }
    inner *= imageSize;
    return target;
  }, values);
}

const add: Combine<Float64Array | Float32Array, Float64Array> = (target, to, toStep, source, from, fromStep, count, inner) => {
  // Along the last dimension a run is a single element, and an inner loop over it would be all overhead.
  if (inner === 1) {
    for (let run = 0; run < count; run++) {
      target[to] = (target[to] ?? 0) + (source[from] ?? 0);
      to += toStep;
      from += fromStep;
    }
    return;
  }
  for (let run = 0; run < count; run++) {
    for (let i = 0; i < inner; i++) target[to + i] = (target[to + i] ?? 0) + (source[from + i] ?? 0);
    to += toStep;
    from += fromStep;
  }
};

const keepLarger: Combine<Float64Array | Float32Array, Float64Array | Float32Array> = (
  target,
  to,
  toStep,
  source,
  from,
  fromStep,
  count,
  inner,
) => {
  // A run of a single element, as in `add`.
  if (inner === 1) {
    for (let run = 0; run < count; run++) {
      const value = source[from + run * fromStep] ?? 0;
      if (value > (target[to + run * toStep] ?? 0)) target[to + run * toStep] = value;
    }
    return;
  }
  for (let run = 0; run < count; run++) {
    for (let i = 0; i < inner; i++) {
      const value = source[from + i] ?? 0;
      if (value > (target[to + i] ?? 0)) target[to + i] = value;
    }
    to += toStep;
    from += fromStep;
  }
};

function keepArgmax(values: Float64Array | BigInt64Array | BigUint64Array): Combine<Uint32Array, Uint32Array> {
  return (target, to, toStep, source, from, fromStep, count, inner) => {
    for (let run = 0; run < count; run++) {
      for (let i = 0; i < inner; i++) {
        const candidate = source[from + i] ?? NO_ELEMENT;
        const best = target[to + i] ?? NO_ELEMENT;
        if (candidate === NO_ELEMENT) continue;
        if (best === NO_ELEMENT || (values[candidate] ?? 0) > (values[best] ?? 0)) target[to + i] = candidate;
      }
      to += toStep;
      from += fromStep;
    }
  };
}
