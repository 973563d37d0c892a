/**
 * Regions of interest of an image, pooled or resampled to one size. Sums that cannot overflow float32 are computed in float64.
 */
import { largestFloat16, largestFloat32, roundToEven } from '../../tensors/data-types.js';
import { readNumbers, writeTruncated, writeNumbers, type TensorView } from '../../compute/tensor-view.js';
import { SAFE_MAGNITUDE } from '../../compute/float32-range.js';
import { inFloat32Range } from '../../compute/numbers.js';
import type { Kernel } from '../../compute/kernel.js';
import {
  batchIndices,
  cornersOf,
  samplesInside,
  interpolate,
  countBeforeInside,
  regionFields,
  samplesOf,
  type Samples,
} from '../../compute/regions.js';
import { productOf } from '../../tensors/tensor-size.js';

export const roiPooling: Kernel<'roiPooling'> = (
  { spatialScale: scale },
  { inputTensor: input, roiTensor, outputTensor: output },
) => {
  const [batches = 1, channels = 1, height = 1, width = 1] = input.sizes;
  const [count = 1, , pooledHeight = 1, pooledWidth = 1] = output.sizes;
  const [image, regions, result] = [readNumbers(input), readNumbers(roiTensor), new Float64Array(output.elementCount)];
  let next = 0;
  for (let region = 0; region < count; region++) {
    const [batch = 0, ...corners] = regions.subarray(region * 5, region * 5 + 5);
    const [left = 0, top = 0, right = 0, bottom = 0] = corners.map((corner) => toInt32(roundToEven(Math.fround(corner * scale))));
    const rows = binsOf(top, bottom, pooledHeight, height);
    const columns = binsOf(left, right, pooledWidth, width);
    const first = Math.min(Math.max(toInt32(batch), 0), batches - 1) * channels;
    for (let channel = 0; channel < channels; channel++) {
      const plane = (first + channel) * height * width;
      for (let y = 0; y < pooledHeight; y++) {
        for (let x = 0; x < pooledWidth; x++) result[next++] = largest(image, plane, width, rows, y, columns, x, lowest(output));
      }
    }
  }
  writeNumbers(output, result);
};

/** The image elements at which each bin begins and ends. */
interface Bins {
  readonly start: Int32Array;
  readonly end: Int32Array;
}

function binsOf(low: number, high: number, count: number, size: number): Bins {
  const extent = Math.max(1, (high - low + 1) | 0);
  const bins = { start: new Int32Array(count), end: new Int32Array(count) };
  for (let i = 0; i < count; i++) {
    bins.start[i] = clamp(Math.floor((i * extent) / count) + low, size);
    bins.end[i] = clamp(Math.ceil(((i + 1) * extent) / count) + low, size);
  }
  return bins;
}

function clamp(value: number, size: number): number {
  return Math.min(Math.max(value, 0), size);
}

/** The largest element of a bin; 0 if the bin is empty. */
function largest(
  image: Float64Array,
  plane: number,
  width: number,
  rows: Bins,
  y: number,
  columns: Bins,
  x: number,
  initial: number,
): number {
  const [top = 0, bottom = 0, left = 0, right = 0] = [rows.start[y], rows.end[y], columns.start[x], columns.end[x]];
  if (top >= bottom || left >= right) return 0;
  let result = initial;
  for (let row = top; row < bottom; row++) {
    for (let column = left; column < right; column++) {
      const value = image[plane + row * width + column] ?? 0;
      if (value > result) result = value;
    }
  }
  return result;
}

/** The number that a maximum starts from. It is the result if there is nothing but NaN and -Infinity. */
function lowest({ dataType }: TensorView): number {
  return dataType === 'float16' ? -largestFloat16 : -largestFloat32;
}

function toInt32(value: number): number {
  return Number.isNaN(value) ? 0 : Math.trunc(Math.min(Math.max(value, -(2 ** 31)), 2 ** 31 - 1));
}

export const roiAlign: Kernel<'roiAlign' | 'roiAlign1'> = (operator, tensors) => {
  const { inputTensor: input, roiTensor: regions, batchIndicesTensor, outputTensor: output } = tensors;
  const [batches = 1, channels = 1, height = 1, width = 1] = input.sizes;
  const [count = 1, , outputHeight = 1, outputWidth = 1] = output.sizes;
  const fields = regionFields(operator);
  const corners = cornersOf(regions, fields);
  const indices = batchIndices(batchIndicesTensor);
  const image = readNumbers(input);
  const outside = operator.outOfBoundsInputValue;
  const sampler: Sampler = {
    image,
    width,
    outside,
    largest: fields.isMax ? 0 : largestMagnitude(image, Math.abs(outside)),
    initial: fields.isMax ? lowest(output) : null,
    isLinear: fields.isLinear,
  };
  const result = new Float64Array(productOf(output.sizes));
  let next = 0;
  for (let region = 0; region < count; region++) {
    const [left = 0, top = 0, right = 0, bottom = 0] = corners.subarray(region * 4, region * 4 + 4);
    const rows = samplesOf(top, bottom, outputHeight, height, fields);
    const columns = samplesOf(left, right, outputWidth, width, fields);
    // A batch index past the last image takes the last image.
    const first = Math.min(indices[region] ?? 0, batches - 1) * channels;
    for (let channel = 0; channel < channels; channel++) {
      const plane = (first + channel) * height * width;
      for (let y = 0; y < outputHeight; y++) {
        for (let x = 0; x < outputWidth; x++) result[next++] = reduceSamples(sampler, plane, rows, y, columns, x);
      }
    }
  }
  writeTruncated(output, result);
};
export const roiAlign1 = roiAlign;

function largestMagnitude(image: Float64Array, initial: number): number {
  let largest = initial;
  for (let i = 0; i < image.length; i++) largest = Math.max(largest, Math.abs(image[i] ?? 0));
  return largest;
}

interface Sampler {
  readonly image: Float64Array;
  readonly width: number;
  readonly outside: number;
  /** For averages, the largest magnitude of the image and of the value outside it; NaN if any of them is NaN. */
  readonly largest: number;
  /** The number that a maximum starts from; null for an average. */
  readonly initial: number | null;
  readonly isLinear: boolean;
}

/** The average or the maximum of the samples of one output element. */
function reduceSamples(sampler: Sampler, plane: number, rows: Samples, y: number, columns: Samples, x: number): number {
  const count = rows.perOutput * columns.perOutput;
  if (sampler.initial === null && !(sampler.largest * count <= SAFE_MAGNITUDE))
    return sumInOrder(sampler, plane, rows, y, columns, x) / count;
  const { outside, initial } = sampler;
  const [top, bottom, left, right] = samplesInside(rows, y, columns, x);
  let result = initial ?? 0;
  for (let i = top; i < bottom; i++) {
    for (let j = left; j < right; j++) {
      const value = sampleAt(sampler, plane, rows, i, columns, j);
      if (initial === null) result += value;
      else if (value > result) result = value;
    }
  }
  const countOutside = count - (bottom - top) * (right - left);
  if (initial === null) return (countOutside > 0 ? result + outside * countOutside : result) / count;
  return countOutside > 0 && outside > result ? outside : result;
}

function sampleAt(
  { image, width, isLinear }: Sampler,
  plane: number,
  rows: Samples,
  i: number,
  columns: Samples,
  j: number,
): number {
  if (isLinear) return interpolate(image, plane, width, rows, i, columns, j);
  return image[plane + (rows.nearest[i] ?? 0) * width + (columns.nearest[j] ?? 0)] ?? 0;
}

/** Adds one sample after the other, also those outside the image, because float32 may overflow on the way. */
function sumInOrder(sampler: Sampler, plane: number, rows: Samples, y: number, columns: Samples, x: number): number {
  const [top, bottom, left, right] = samplesInside(rows, y, columns, x);
  const [above, before] = [countBeforeInside(rows, y), countBeforeInside(columns, x)];
  const add = (sum: number, value: number, times = 1) => (times > 0 ? inFloat32Range(sum + value * times) : sum);
  let sum = add(0, sampler.outside, above * columns.perOutput);
  for (let i = top; i < bottom; i++) {
    sum = add(sum, sampler.outside, before);
    for (let j = left; j < right; j++) sum = add(sum, sampleAt(sampler, plane, rows, i, columns, j));
    sum = add(sum, sampler.outside, columns.perOutput - before - (right - left));
  }
  return add(sum, sampler.outside, (rows.perOutput - above - (bottom - top)) * columns.perOutput);
}
