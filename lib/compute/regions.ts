/**
 * The samples of a region of interest in an image, along one dimension at a time. The regions' corners and extents and the number
 * of samples are rounded to float32 like DirectML's, because a small difference may change how many samples there are.
 */
import type { Resolved } from '../descriptors/resolved.js';
import { readBigInts, readNumbers, type TensorView } from './tensor-view.js';
import { interpolated } from './numbers.js';

/**
 * The samples of one region along one dimension, in the order of output coordinates. Only those inside the image are kept: a few
 * for each image element, or the minimum for each output coordinate, however large the region is.
 */
export interface Samples {
  /** The number of samples of each output coordinate, inside or outside the image. */
  readonly perOutput: number;
  /** The number of samples of all output coordinates together. */
  readonly total: number;
  /** The number of the first sample inside the image, with which the lists below begin. */
  readonly firstInside: number;
  /**
   * For each output coordinate, the index in the lists below at which its samples begin; one more element at the end says where
   * the last ones end.
   */
  readonly starts: Uint32Array;
  /** The two image elements that each sample lies between. */
  readonly first: Uint32Array;
  readonly second: Uint32Array;
  /** The weight of the second element. */
  readonly weight: Float64Array;
  readonly nearest: Uint32Array;
}

interface RegionFields {
  readonly isLinear: boolean;
  readonly isMax: boolean;
  readonly alignRegionsToCorners: boolean;
  readonly scaleX: number;
  readonly scaleY: number;
  readonly inputPixelOffset: number;
  readonly outputPixelOffset: number;
  readonly minSamples: number;
  readonly maxSamples: number;
}

/** roiAlign has no fields for these; it behaves as with these values. */
const ROI_ALIGN_PLACEMENT = { inputPixelOffset: 0.5, outputPixelOffset: -0.5, alignRegionsToCorners: false };

export function regionFields(operator: Resolved<'roiAlign' | 'roiAlign1' | 'roiAlignGrad'>): RegionFields {
  const placed = operator.type === 'roiAlign' ? ROI_ALIGN_PLACEMENT : operator;
  return {
    isLinear: operator.interpolationMode === 'linear',
    isMax: operator.reductionFunction === 'max',
    alignRegionsToCorners: placed.alignRegionsToCorners,
    scaleX: operator.spatialScaleX,
    scaleY: operator.spatialScaleY,
    inputPixelOffset: placed.inputPixelOffset,
    outputPixelOffset: placed.outputPixelOffset,
    minSamples: operator.minimumSamplesPerOutput,
    maxSamples: operator.maximumSamplesPerOutput,
  };
}

/** Left, top, right and bottom of each region, scaled to image coordinates. */
export function cornersOf(regions: TensorView, { scaleX, scaleY }: RegionFields): Float64Array {
  return readNumbers(regions).map((value, i) => Math.fround(value * (i % 2 === 0 ? scaleX : scaleY)));
}

/** The indices of the regions' images. Of a 64-bit index only the low 32 bits count, unsigned. */
export function batchIndices(view: TensorView): readonly number[] {
  if (view.dataType !== 'uint64') return [...readNumbers(view)];
  return Array.from(readBigInts(view), (index) => Number(BigInt.asUintN(32, index)));
}

/** The samples of a region from `low` to `high`, for `count` output coordinates, along an image dimension of `size` elements. */
export function samplesOf(low: number, high: number, count: number, size: number, fields: RegionFields): Samples {
  const { alignRegionsToCorners, inputPixelOffset, outputPixelOffset } = fields;
  const extent = Math.fround(high - low);
  const perOutput = samplesPerOutput(extent, count, fields);
  const total = count * perOutput;
  const last = alignRegionsToCorners ? total - 1 : total;
  const step = last === 0 ? 0 : extent / last;
  // A single sample cannot lie in both corners, and so lies halfway between them.
  const start = last === 0 ? low + extent / 2 : low;
  const positionOf = (sample: number) => (sample - outputPixelOffset) * step + start - inputPixelOffset;
  // Positions increase from sample to sample, or they decrease.
  const direction = step < 0 ? -1 : 1;
  const sideOfSample = (sample: number) => direction * sideOf(positionOf(sample), size, alignRegionsToCorners);
  const from = firstWhere(total, (sample) => sideOfSample(sample) >= 0);
  const to = firstWhere(total, (sample) => sideOfSample(sample) > 0);
  const samples: Samples = {
    perOutput,
    total,
    firstInside: from,
    starts: new Uint32Array(count + 1).map((_, i) => Math.min(Math.max(i * perOutput, from), to) - from),
    first: new Uint32Array(to - from),
    second: new Uint32Array(to - from),
    weight: new Float64Array(to - from),
    nearest: new Uint32Array(to - from),
  };
  for (let i = 0; i < to - from; i++) {
    const position = positionOf(from + i);
    const below = Math.floor(position);
    samples.first[i] = clampToImage(below, size);
    samples.second[i] = clampToImage((below || 0) + 1, size);
    samples.weight[i] = position - below;
    samples.nearest[i] = clampToImage(Math.floor(position + 0.5), size);
  }
  return samples;
}

/** The samples inside the image of output element (`y`, `x`), as index ranges of the lists of `rows` and `columns`. */
export function samplesInside(
  { starts: rows }: Samples,
  y: number,
  { starts: columns }: Samples,
  x: number,
): readonly [top: number, bottom: number, left: number, right: number] {
  return [rows[y] ?? 0, rows[y + 1] ?? 0, columns[x] ?? 0, columns[x + 1] ?? 0];
}

/** The number of samples of an output coordinate before its first one inside the image; all of them if none is inside. */
export function countBeforeInside({ perOutput, firstInside: from, starts }: Samples, coordinate: number): number {
  const [start = 0, end = 0] = [starts[coordinate], starts[coordinate + 1]];
  return start < end ? from + start - coordinate * perOutput : perOutput;
}

/** True if the first sample of an output coordinate lies inside the image. */
export function startsInside(samples: Samples, coordinate: number): boolean {
  return countBeforeInside(samples, coordinate) === 0;
}

/** With infinite or NaN positions nearly all samples coincide; 16 give the same result as billions. */
const ENOUGH_SAMPLES = 16;

function samplesPerOutput(
  extent: number,
  count: number,
  { inputPixelOffset, outputPixelOffset, minSamples, maxSamples }: RegionFields,
): number {
  const wanted = Math.ceil(Math.fround(Math.abs(extent) / count));
  const perOutput = Math.min(Math.max(Number.isNaN(wanted) ? 0 : wanted, minSamples), maxSamples);
  if (![extent, inputPixelOffset, outputPixelOffset].every(Number.isFinite))
    return Math.min(perOutput, Math.max(minSamples, ENOUGH_SAMPLES));
  // Float64 can represent every sample's number exactly.
  return Math.min(perOutput, Math.floor(Number.MAX_SAFE_INTEGER / count));
}

/** The first of `count` samples from which on `isTrue` holds; `count` if it never does. */
function firstWhere(count: number, isTrue: (sample: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2);
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Negative before the image, 0 inside it, positive after it; 0 for NaN. With corners aligned the image spans from its first
 * element to its last, otherwise nearly one element further on both sides.
 */
function sideOf(position: number, size: number, alignRegionsToCorners: boolean): number {
  if (alignRegionsToCorners ? position < 0 : position <= -1) return -1;
  return (alignRegionsToCorners ? position > size - 1 : position >= size) ? 1 : 0;
}

/** Clamps an element to the image; NaN becomes the first element. */
function clampToImage(element: number, size: number): number {
  return Math.min(Math.max(element || 0, 0), size - 1);
}

/**
 * The image interpolated at sample (`y`, `x`), which lies inside it. `plane` is the channel's first element, `width` the length
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
  const onLeft = interpolated(image[top + left] ?? 0, image[bottom + left] ?? 0, down);
  const onRight = interpolated(image[top + right] ?? 0, image[bottom + right] ?? 0, down);
  return interpolated(onLeft, onRight, weight);
}
