/**
 * Where the samples of a region of interest lie in an image, one dimension at a time. Corners of regions, their size and
 * the number of samples are rounded to float32 like DirectML's, for what follows from them jumps.
 */
import type { ResolvedOperator } from '../../../validation/resolved.js';
import { readBigInts, readNumbers, type TensorView } from '../tensor-view.js';
import { numberField } from './kernel.js';

/** The samples of one region along one dimension, in the order of output coordinates. */
export interface Samples {
  /** So many for each output coordinate. */
  readonly each: number;
  /** The two neighbours of each sample, -1 where it lies outside of the image. */
  readonly first: Int32Array;
  readonly second: Int32Array;
  /** Of the second neighbour. */
  readonly weight: Float64Array;
  /** The nearest neighbour, -1 where the sample lies outside. */
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

export function regionFields(operator: ResolvedOperator): RegionFields {
  const { fields } = operator;
  const offset = (name: string, usual: number) => (name in fields ? Math.fround(numberField(operator, name)) : usual);
  return {
    linear: fields['interpolationMode'] === 'linear',
    max: fields['reductionFunction'] === 'max',
    corners: fields['alignRegionsToCorners'] === true,
    scaleX: Math.fround(numberField(operator, 'spatialScaleX')),
    scaleY: Math.fround(numberField(operator, 'spatialScaleY')),
    before: offset('inputPixelOffset', 0.5),
    after: offset('outputPixelOffset', -0.5),
    least: numberField(operator, 'minimumSamplesPerOutput'),
    most: numberField(operator, 'maximumSamplesPerOutput'),
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
  const { corners, before, after, least, most } = fields;
  const extent = Math.fround(high - low);
  const wanted = Math.ceil(Math.fround(Math.abs(extent) / count));
  const each = Math.min(Math.max(Number.isNaN(wanted) ? 0 : wanted, least), most);
  const total = count * each;
  const last = corners ? total - 1 : total;
  const step = last === 0 ? 0 : extent / last;
  // A single sample that would have to lie in two corners lies halfway between them.
  const start = last === 0 ? low + extent / 2 : low;
  const samples: Samples = {
    each,
    first: new Int32Array(total).fill(-1),
    second: new Int32Array(total).fill(-1),
    weight: new Float64Array(total),
    nearest: new Int32Array(total).fill(-1),
  };
  for (let i = 0; i < total; i++) {
    const position = (i - after) * step + start - before;
    if (isOutside(position, size, corners)) continue;
    const below = Math.floor(position);
    samples.first[i] = within(below, size);
    samples.second[i] = within(below + 1, size);
    samples.weight[i] = position - below;
    samples.nearest[i] = within(Math.floor(position + 0.5), size);
  }
  return samples;
}

/** The image ends with its first and last element, without corners nearly one further. */
function isOutside(position: number, size: number, corners: boolean): boolean {
  return corners ? position < 0 || position > size - 1 : position <= -1 || position >= size;
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
  const above = lerp(image[top + left] ?? 0, image[top + right] ?? 0, weight);
  const below = lerp(image[bottom + left] ?? 0, image[bottom + right] ?? 0, weight);
  return lerp(above, below, rows.weight[y] ?? 0);
}

function lerp(a: number, b: number, weight: number): number {
  return a + (b - a) * weight;
}
