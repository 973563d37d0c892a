/**
 * Where the samples of a region of interest lie in an image, one dimension at a time. Corners of regions, their size and
 * the number of samples are rounded to float32 like DirectML's, for what follows from them jumps.
 */
import type { Resolved } from '../../../validation/resolved.js';
import { readBigInts, readNumbers, type TensorView } from './tensor-view.js';
import { interpolated } from './numbers.js';

/**
 * The samples of one region along one dimension, in the order of output coordinates. Only those inside of the image are
 * kept: a few for each of its elements, or the minimum for each output coordinate, however large the region is.
 */
export interface Samples {
  /** So many for each output coordinate, inside or outside of the image. */
  readonly each: number;
  /** So many for all output coordinates together. */
  readonly total: number;
  /** The first sample inside of the image, from where the lists below go on. */
  readonly from: number;
  /** Where in these lists the samples of each output coordinate begin, and after the last one, where they end. */
  readonly starts: Int32Array;
  /** The two neighbours of each sample. */
  readonly first: Int32Array;
  readonly second: Int32Array;
  /** Of the second neighbour. */
  readonly weight: Float64Array;
  readonly nearest: Int32Array;
}

export interface RegionFields {
  readonly linear: boolean;
  readonly max: boolean;
  readonly corners: boolean;
  readonly scaleX: number;
  readonly scaleY: number;
  readonly before: number;
  readonly after: number;
  readonly least: number;
  readonly most: number;
}

/** What roiAlign has no fields for. */
const PLACED_BY_ROI_ALIGN = { inputPixelOffset: 0.5, outputPixelOffset: -0.5, alignRegionsToCorners: false };

export function regionFields(operator: Resolved<'roiAlign' | 'roiAlign1' | 'roiAlignGrad'>): RegionFields {
  const placed = operator.type === 'roiAlign' ? PLACED_BY_ROI_ALIGN : operator;
  return {
    linear: operator.interpolationMode === 'linear',
    max: operator.reductionFunction === 'max',
    corners: placed.alignRegionsToCorners,
    scaleX: operator.spatialScaleX,
    scaleY: operator.spatialScaleY,
    before: placed.inputPixelOffset,
    after: placed.outputPixelOffset,
    least: operator.minimumSamplesPerOutput,
    most: operator.maximumSamplesPerOutput,
  };
}

/** Left, top, right and bottom of each region, scaled. */
export function cornersOf(regions: TensorView, { scaleX, scaleY }: RegionFields): Float64Array {
  return readNumbers(regions).map((value, i) => Math.fround(value * (i % 2 === 0 ? scaleX : scaleY)));
}

/** Of 64-bit indices the low 32 bits count, as numbers without sign. */
export function batchIndices(view: TensorView): readonly number[] {
  if (view.dataType !== 'uint64') return [...readNumbers(view)];
  return Array.from(readBigInts(view), (index) => Number(BigInt.asUintN(32, index)));
}

/** The samples of a region from `low` to `high`, for `count` output coordinates, along `size` elements of the image. */
export function samplesOf(low: number, high: number, count: number, size: number, fields: RegionFields): Samples {
  const { corners, before, after } = fields;
  const extent = Math.fround(high - low);
  const each = samplesPerOutput(extent, count, fields);
  const total = count * each;
  const last = corners ? total - 1 : total;
  const step = last === 0 ? 0 : extent / last;
  // A single sample that would have to lie in two corners lies halfway between them.
  const start = last === 0 ? low + extent / 2 : low;
  const positionOf = (sample: number) => (sample - after) * step + start - before;
  // Positions rise from one sample to the next, or they fall.
  const direction = step < 0 ? -1 : 1;
  const sideOfSample = (sample: number) => direction * sideOf(positionOf(sample), size, corners);
  const from = firstOf(total, (sample) => sideOfSample(sample) >= 0);
  const to = firstOf(total, (sample) => sideOfSample(sample) > 0);
  const samples: Samples = {
    each,
    total,
    from,
    starts: new Int32Array(count + 1).map((_, i) => Math.min(Math.max(i * each, from), to) - from),
    first: new Int32Array(to - from),
    second: new Int32Array(to - from),
    weight: new Float64Array(to - from),
    nearest: new Int32Array(to - from),
  };
  for (let i = 0; i < to - from; i++) {
    const position = positionOf(from + i);
    const below = Math.floor(position);
    samples.first[i] = within(below, size);
    samples.second[i] = within((below || 0) + 1, size);
    samples.weight[i] = position - below;
    samples.nearest[i] = within(Math.floor(position + 0.5), size);
  }
  return samples;
}

/** Between which samples of the lists those of output element `y`, `x` are that lie inside of the image. */
export function insideOf(
  { starts: rows }: Samples,
  y: number,
  { starts: columns }: Samples,
  x: number,
): readonly [top: number, bottom: number, left: number, right: number] {
  return [rows[y] ?? 0, rows[y + 1] ?? 0, columns[x] ?? 0, columns[x + 1] ?? 0];
}

/** How many samples of an output coordinate come before the first one inside of the image; all, where none is. */
export function outsideBefore({ each, from, starts }: Samples, coordinate: number): number {
  const [start = 0, end = 0] = [starts[coordinate], starts[coordinate + 1]];
  return start < end ? from + start - coordinate * each : each;
}

/** Whether the first sample of an output coordinate lies inside of the image. */
export function startsInside(samples: Samples, coordinate: number): boolean {
  return outsideBefore(samples, coordinate) === 0;
}

/** Where positions are infinite or NaN, most samples lie in the same place, so that so many show as well as billions. */
const ENOUGH_ALIKE = 16;

function samplesPerOutput(extent: number, count: number, { before, after, least, most }: RegionFields): number {
  const wanted = Math.ceil(Math.fround(Math.abs(extent) / count));
  const each = Math.min(Math.max(Number.isNaN(wanted) ? 0 : wanted, least), most);
  if (![extent, before, after].every(Number.isFinite)) return Math.min(each, Math.max(least, ENOUGH_ALIKE));
  // All of them have whole numbers that float64 can tell apart.
  return Math.min(each, Math.floor(Number.MAX_SAFE_INTEGER / count));
}

/** The first of `count` samples from which on something is true, `count` where it never is. */
function firstOf(count: number, isTrue: (sample: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2);
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Below 0 before the image, 0 inside, above 0 after it. The image ends with its first and last element, without corners
 * nearly one further. NaN is inside.
 */
function sideOf(position: number, size: number, corners: boolean): number {
  if (corners ? position < 0 : position <= -1) return -1;
  return (corners ? position > size - 1 : position >= size) ? 1 : 0;
}

/** The element itself or the last one before the edge, the first one for NaN. */
function within(element: number, size: number): number {
  return Math.min(Math.max(element || 0, 0), size - 1);
}

/**
 * The image interpolated at sample `y` and `x`, which lie inside. `plane` is where the channel begins, `width` the length
 * of its rows.
 */
export function interpolate(
  image: Float64Array,
  plane: number,
  width: number,
  rows: Samples,
  y: number,
  columns: Samples,
  x: number,
): number {
  const top = plane + (rows.first[y] ?? 0) * width;
  const bottom = plane + (rows.second[y] ?? 0) * width;
  const [left, right, weight] = [columns.first[x] ?? 0, columns.second[x] ?? 0, columns.weight[x] ?? 0];
  const down = rows.weight[y] ?? 0;
  const before = interpolated(image[top + left] ?? 0, image[bottom + left] ?? 0, down);
  const after = interpolated(image[top + right] ?? 0, image[bottom + right] ?? 0, down);
  return interpolated(before, after, weight);
}
