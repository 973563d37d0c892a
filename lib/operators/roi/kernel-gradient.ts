/** Gradients of roiAlign, for the image and for the corners of the regions. Sums are computed in float64 and rounded once. */
import { readNumbers, writeNumbers } from '../../compute/tensor-view.js';
import type { Kernel } from '../../compute/kernel.js';
import { lowestFinite } from '../../compute/pooling-windows.js';
import {
  batchIndices,
  cornersOf,
  samplesInside,
  interpolate,
  regionFields,
  samplesOf,
  startsInside,
  type Samples,
} from '../../compute/regions.js';

export const roiAlignGrad: Kernel<'roiAlignGrad'> = (operator, tensors) => {
  const { inputTensor: input, outputGradientTensor: imageGradient, outputRoiGradientTensor: cornerGradient } = tensors;
  const [batches = 1, channels = 1, height = 1, width = 1] = (input ?? imageGradient)?.sizes ?? [];
  const [count = 1, , outputHeight = 1, outputWidth = 1] = tensors.inputGradientTensor.sizes;
  const gradients = readNumbers(tensors.inputGradientTensor);
  const fields = regionFields(operator);
  const corners = cornersOf(tensors.roiTensor, fields);
  const indices = batchIndices(tensors.batchIndicesTensor);
  const image: Image = {
    values: input === null ? null : readNumbers(input),
    lowest: input === null ? 0 : lowestFinite(input.dataType),
    height,
    width,
    gradient: imageGradient === null ? null : new Float64Array(imageGradient.elementCount),
    isLinear: fields.isLinear,
    alignRegionsToCorners: fields.alignRegionsToCorners,
  };
  const cornerGradients = new Float64Array(count * 4);
  for (let region = 0; region < count; region++) {
    const batch = indices[region] ?? 0;
    // A region whose batch index is out of range contributes to no gradient.
    if (batch >= batches) continue;
    const [left = 0, top = 0, right = 0, bottom = 0] = corners.subarray(region * 4, region * 4 + 4);
    const rows = samplesOf(top, bottom, outputHeight, height, fields);
    const columns = samplesOf(left, right, outputWidth, width, fields);
    for (let channel = 0; channel < channels; channel++) {
      const plane = (batch * channels + channel) * height * width;
      const part: RegionPlane = { plane, rows, columns, gradient: cornerGradients.subarray(region * 4, region * 4 + 4) };
      let next = (region * channels + channel) * outputHeight * outputWidth;
      for (let y = 0; y < outputHeight; y++) {
        for (let x = 0; x < outputWidth; x++) {
          const gradient = gradients[next++] ?? 0;
          if (fields.isMax) giveToLargest(image, part, y, x, gradient);
          else distributeToAll(image, part, y, x, gradient / (rows.perOutput * columns.perOutput));
        }
      }
    }
  }
  if (imageGradient !== null && image.gradient !== null) writeNumbers(imageGradient, image.gradient);
  if (cornerGradient !== null) writeNumbers(cornerGradient, cornerGradients);
};

interface Image {
  readonly values: Float64Array | null;
  /** The lowest finite number of its data type. */
  readonly lowest: number;
  readonly height: number;
  readonly width: number;
  /** The gradient of the image; null if it is not asked for. */
  readonly gradient: Float64Array | null;
  readonly isLinear: boolean;
  readonly alignRegionsToCorners: boolean;
}

/** A region in one channel, and the gradient of its corners. */
interface RegionPlane {
  readonly plane: number;
  readonly rows: Samples;
  readonly columns: Samples;
  readonly gradient: Float64Array;
}

function distributeToAll(image: Image, part: RegionPlane, y: number, x: number, gradient: number): void {
  const { rows, columns } = part;
  const [top, bottom, left, right] = samplesInside(rows, y, columns, x);
  for (let i = top; i < bottom; i++) {
    for (let j = left; j < right; j++) addGradient(image, part, y, x, i, j, gradient);
  }
}

/**
 * Gives a gradient to the first of the largest samples. A sample outside the image counts as 0; if it is the largest, the
 * gradient is lost. If all samples are NaN or the lowest number, none is the largest.
 */
function giveToLargest(image: Image, part: RegionPlane, y: number, x: number, gradient: number): void {
  const { rows, columns } = part;
  const [top, bottom, left, right] = samplesInside(rows, y, columns, x);
  let largest = image.lowest;
  let [row, column] = [-1, -1];
  for (let i = top; i < bottom; i++) {
    for (let j = left; j < right; j++) {
      const value = valueAt(image, part, i, j);
      if (value > largest) [largest, row, column] = [value, i, j];
    }
  }
  if (row < 0) return;
  const isAllInside = bottom - top === rows.perOutput && right - left === columns.perOutput;
  if (!isAllInside) {
    if (largest < 0) return;
    const isOutsideBefore =
      !startsInside(rows, y) || !startsInside(columns, x) || (row > top && right - left < columns.perOutput);
    if (largest === 0 && isOutsideBefore) return;
  }
  addGradient(image, part, y, x, row, column, gradient);
}

function valueAt({ values, width, isLinear }: Image, { plane, rows, columns }: RegionPlane, i: number, j: number): number {
  if (values === null) return 0;
  if (isLinear) return interpolate(values, plane, width, rows, i, columns, j);
  return values[plane + (rows.nearest[i] ?? 0) * width + (columns.nearest[j] ?? 0)] ?? 0;
}

/** Adds the gradient of output element (`y`, `x`) to the image elements of sample (`i`, `j`), and to the region's corners. */
function addGradient(image: Image, part: RegionPlane, y: number, x: number, i: number, j: number, gradient: number): void {
  const { plane, rows, columns } = part;
  const top = plane + (rows.first[i] ?? 0) * image.width;
  const bottom = plane + (rows.second[i] ?? 0) * image.width;
  const [left = 0, right = 0] = [columns.first[j], columns.second[j]];
  const [down = 0, across = 0] = [rows.weight[i], columns.weight[j]];
  if (image.gradient !== null && image.isLinear) {
    add(image.gradient, top + left, gradient * (1 - down) * (1 - across));
    add(image.gradient, top + right, gradient * (1 - down) * across);
    add(image.gradient, bottom + left, gradient * down * (1 - across));
    add(image.gradient, bottom + right, gradient * down * across);
  } else if (image.gradient !== null) {
    add(image.gradient, plane + (rows.nearest[i] ?? 0) * image.width + (columns.nearest[j] ?? 0), gradient);
  }
  if (image.values === null) return;
  // A corner moves the samples between the corners in proportion. The slope is always that of linear interpolation.
  const [a = 0, b = 0] = [image.values[top + left], image.values[top + right]];
  const [c = 0, d = 0] = [image.values[bottom + left], image.values[bottom + right]];
  const less = image.alignRegionsToCorners ? 1 : 0;
  const horizontal = gradient * ((1 - down) * (b - a) + down * (d - c)) * (image.width - less);
  const vertical = gradient * ((1 - across) * (c - a) + across * (d - b)) * (image.height - less);
  const [toRight, toBottom] = [shareOf(columns, x, less), shareOf(rows, y, less)];
  add(part.gradient, 0, horizontal * (1 - toRight));
  add(part.gradient, 1, vertical * (1 - toBottom));
  add(part.gradient, 2, horizontal * toRight);
  add(part.gradient, 3, vertical * toBottom);
}

/** The second corner's share. DirectML divides the number of the output element by the number of all samples. */
function shareOf({ total }: Samples, coordinate: number, less: number): number {
  const last = total - less;
  return last === 0 ? 0.5 : coordinate / last;
}

function add(target: Float64Array, at: number, value: number): void {
  target[at] = (target[at] ?? 0) + value;
}
