/**
 * The windows of pooling. A window is a box, so that what is asked of it (a sum, the largest element) is computed along
 * one dimension after the other: along the last of the image, then along the one before for what that gave, and so on.
 */
import { isFloat, rangeOf } from '../../../data-types/table.js';
import type { DataType } from '../../../schema/generated/enums.js';
import { productOf } from '../../../validation/tensor-size.js';

/** The windows along one dimension. */
export interface Windows {
  /** Of the image. */
  readonly size: number;
  /** How many windows there are, and how far they are apart. */
  readonly places: number;
  readonly stride: number;
  readonly taps: readonly Tap[];
}

/** An element of the windows, as far as it lies in the image and not in the padding. */
interface Tap {
  /** The first window whose element that is, and how many there are from there on. */
  readonly place: number;
  readonly count: number;
  /** The element of the image that the first of them takes. */
  readonly element: number;
}

/** The fields of a pooling that say where its windows lie, an element for each dimension after the channels. */
export interface PoolingFields {
  readonly windowSize: readonly number[];
  readonly strides: readonly number[];
  readonly startPadding: readonly number[];
  readonly dilations?: readonly number[];
}

/** By dimension after the channels. `image` and `pooled` are the sizes of whole tensors. */
export function windowsOf(operator: PoolingFields, image: readonly number[], pooled: readonly number[]): Windows[] {
  const { windowSize, strides, startPadding, dilations = [] } = operator;
  return windowSize.map((window, i) => {
    const [size = 1, places = 1, stride = 1] = [image[i + 2], pooled[i + 2], strides[i]];
    const [dilation = 1, start = 0] = [dilations[i], startPadding[i]];
    return windowsAlong(size, places, { window, start, stride, dilation });
  });
}

/** What the windows along one dimension are like; `start` is the padding before the first element. */
interface Shape {
  readonly window: number;
  readonly start: number;
  readonly stride: number;
  readonly dilation: number;
}

export function windowsAlong(size: number, places: number, { window, start, stride, dilation }: Shape): Windows {
  const taps: Tap[] = [];
  // Only those that lie in the image somewhere, for a window may be far larger.
  const least = Math.max(0, Math.ceil((start - (places - 1) * stride) / dilation));
  const most = Math.min(window - 1, Math.floor((size - 1 + start) / dilation));
  for (let tap = least; tap <= most; tap++) {
    const at = tap * dilation - start;
    const place = Math.max(0, Math.ceil(-at / stride));
    const count = Math.min(places - 1, Math.floor((size - 1 - at) / stride)) - place + 1;
    if (count > 0) taps.push({ place, count, element: at + place * stride });
  }
  return { size, places, stride, taps };
}

/** By element of the output, the sum of its window. */
export function windowSums(values: Float64Array | Float32Array, windows: readonly Windows[]): Float64Array {
  return pool<Float64Array | Float32Array, Float64Array>(values, windows, (length) => new Float64Array(length), add);
}

/** The sums of windows along one dimension alone, whose elements are `inner` apart. */
export function sumsAlong(values: Float64Array, windows: Windows, inner: number): Float64Array {
  return poolAlong(values, windows, inner, (length) => new Float64Array(length), add);
}

interface AverageFields extends PoolingFields {
  readonly includePadding: boolean;
}

/** By place of the windows in one channel, how many elements an average is of. */
export function windowCounts({ includePadding, windowSize }: AverageFields, windows: readonly Windows[]): Float64Array {
  if (includePadding) return Float64Array.of(productOf(windowSize));
  return windowSums(new Float64Array(productOf(windows.map(({ size }) => size))).fill(1), windows);
}

/** Makes means of sums; the counts are those of one channel, or the one of all windows. */
export function divideByCounts(sums: Float64Array, counts: Float64Array): void {
  for (let start = 0; start < sums.length; start += counts.length) {
    for (let i = 0; i < counts.length; i++) sums[start + i] = (sums[start + i] ?? 0) / (counts[i] ?? 1);
  }
}

/** The least finite number: of float32 for float16 too, which is computed as such. */
export function lowestOf(dataType: DataType): number {
  return isFloat(dataType) ? -(2 - 2 ** -23) * 2 ** 127 : rangeOf(dataType).low;
}

/**
 * By element of the output, the largest element of its window, and no less than `lowest`. NaN does not count. What is
 * the largest of float32 is float32, and need not be converted on the way.
 */
export function windowMaxima(
  values: Float64Array | Float32Array,
  windows: readonly Windows[],
  lowest: number,
): Float64Array | Float32Array {
  const narrow = values instanceof Float32Array;
  const lineOf = (length: number) => (narrow ? new Float32Array(length) : new Float64Array(length)).fill(lowest);
  return pool<Float64Array | Float32Array, Float64Array | Float32Array>(values, windows, lineOf, keepLarger);
}

/** Where a window lies in the padding entirely. */
export const NOWHERE = -1;

/** Takes `least` for NaN too. */
export function atLeast(least: number, values: Float64Array): Float64Array {
  for (let i = 0; i < values.length; i++) if (!((values[i] ?? 0) > least)) values[i] = least;
  return values;
}

/** By element of the output, the number of the largest element of its window, the first of equal ones. There is no NaN. */
export function windowPeaks(values: Float64Array | BigInt64Array | BigUint64Array, windows: readonly Windows[]): Int32Array {
  const elements = new Int32Array(values.length).map((_, element) => element);
  return pool<Int32Array, Int32Array>(elements, windows, (length) => new Int32Array(length).fill(NOWHERE), keepPeak(values));
}

/** By element of the image, the sum of the values whose windows it is in. */
export function sumsOfWindows(values: Float64Array, windows: readonly Windows[]): Float64Array {
  let inner = 1;
  return windows.reduceRight((source, { size, places, stride, taps }) => {
    const blocks = source.length / (places * inner);
    const target = new Float64Array(blocks * size * inner);
    for (let block = 0; block < blocks; block++) {
      for (const { place, count, element } of taps) {
        const [to, from] = [(block * size + element) * inner, (block * places + place) * inner];
        add(target, to, stride * inner, source, from, inner, count, inner);
      }
    }
    inner *= size;
    return target;
  }, values);
}

interface Line {
  readonly length: number;
}

/** Combines `count` runs of `inner` neighbours of the source with as many of the target; steps lead to the next run. */
type Combine<Source, Target> = (
  target: Target,
  to: number,
  toStep: number,
  source: Source,
  from: number,
  fromStep: number,
  count: number,
  inner: number,
) => void;

const add: Combine<Float64Array | Float32Array, Float64Array> = (target, to, toStep, source, from, fromStep, count, inner) => {
  // Along the last dimension, where the inner loop would be all overhead.
  if (inner === 1) {
    for (let run = 0; run < count; run++) {
      const at = to + run * toStep;
      target[at] = (target[at] ?? 0) + (source[from + run * fromStep] ?? 0);
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
  // As above.
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

function keepPeak(values: Float64Array | BigInt64Array | BigUint64Array): Combine<Int32Array, Int32Array> {
  return (target, to, toStep, source, from, fromStep, count, inner) => {
    for (let run = 0; run < count; run++) {
      for (let i = 0; i < inner; i++) {
        const candidate = source[from + i] ?? NOWHERE;
        const peak = target[to + i] ?? NOWHERE;
        if (candidate === NOWHERE) continue;
        if (peak === NOWHERE || (values[candidate] ?? 0) > (values[peak] ?? 0)) target[to + i] = candidate;
      }
      to += toStep;
      from += fromStep;
    }
  };
}

/** Up to how many places a loop over them would mostly be overhead. */
const FEW = 16;

/** Dimension by dimension, the last one first. */
function pool<Source, Target extends Source & Line>(
  values: Source & Line,
  windows: readonly Windows[],
  lineOf: (length: number) => Target,
  combine: Combine<Source, Target>,
  inner = 1,
): Target {
  const last = windows.at(-1);
  if (last === undefined) throw new TypeError('pooling has no windows');
  const pooled = poolAlong(values, last, inner, lineOf, combine);
  return windows.length === 1 ? pooled : pool(pooled, windows.slice(0, -1), lineOf, combine, inner * last.places);
}

function poolAlong<Source, Target extends Source & Line>(
  source: Source & Line,
  { size, places, stride, taps }: Windows,
  inner: number,
  lineOf: (length: number) => Target,
  combine: Combine<Source, Target>,
): Target {
  const blocks = source.length / (size * inner);
  const target = lineOf(blocks * places * inner);
  // Whichever there are more of, so that few runs are long ones: the places of a block, or blocks for one place.
  if (inner === 1 && places <= FEW) {
    for (const { place, count, element } of taps) {
      for (let i = 0; i < count; i++) combine(target, place + i, places, source, element + i * stride, size, blocks, 1);
    }
    return target;
  }
  for (let block = 0; block < blocks; block++) {
    for (const { place, count, element } of taps) {
      const [to, from] = [(block * places + place) * inner, (block * size + element) * inner];
      combine(target, to, inner, source, from, stride * inner, count, inner);
    }
  }
  return target;
}
