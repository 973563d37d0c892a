/**
 * Convolutions. The window at each output position is laid out as a column, with zeros where it is outside the input. The results
 * are the matrix product of the filters, which are rows already, and these columns. If a group has too few filters for a tile of
 * that product, they are applied tap by tap. Everything is summed in float64, which holds every sum of products of 8-bit integers
 * exactly.
 */
import { saturateToFloat16 } from '../../compute/numbers.js';
import { readNumbers, viewNumbers, writeNumbers, type TensorView } from '../../compute/tensor-view.js';
import { filterByTaps, hasShortLines, type Group } from '../../compute/convolution-by-taps.js';
import { mayOverflow } from '../../compute/float32-range.js';
import { applyActivationInOwnPass, applyFusedActivation, isAppliedInShader } from '../../compute/fused-activation.js';
import type { Kernel } from '../../compute/kernel.js';
import { multiplication, type Multiply } from '../../compute/multiply.js';
import { BLOCK_COLUMNS, TILE_ROWS } from '../../compute/multiply-block.js';
import { copyTaps, OUTSIDE, spatialTaps, type ConvolutionFields, type SpatialTaps } from '../../compute/window-taps.js';
import { requantize } from '../../compute/quantization.js';
import { productOf } from '../../tensors/tensor-size.js';

interface Numbers<Values = Float64Array> {
  readonly sizes: readonly number[];
  readonly values: Values;
}

export const convolution: Kernel<'convolution'> = (
  operator,
  { inputTensor: input, filterTensor, biasTensor, outputTensor: output },
) => {
  const images = { sizes: input.sizes, values: viewNumbers(input) };
  const sums = convolve(operator, images, numbersOf(filterTensor), output.sizes, output.dataType === 'float16');
  const bias = biasTensor && readNumbers(biasTensor);
  // A sum that overflows float32 reaches the activation as an infinity. Adding -0 changes nothing, not even the sign of -0.
  eachChannel(output.sizes, (channel, start, end) => {
    const addend = bias === null ? -0 : (bias[channel] ?? 0);
    for (let i = start; i < end; i++) sums[i] = Math.fround((sums[i] ?? 0) + addend);
  });
  clearOutputPadding(operator.outputPadding, sums, output.sizes);
  const activation = operator.fusedActivation;
  if (isAppliedInShader(activation)) applyFusedActivation(activation, sums, output.sizes);
  else applyActivationInOwnPass(activation, sums, output);
  writeNumbers(output, output.dataType === 'float16' ? sums.map(saturateToFloat16) : sums);
};

export const convolutionInteger: Kernel<'convolutionInteger'> = (operator, tensors) => {
  const output = tensors.outputTensor;
  const input = subtractZeroPoint(tensors.inputTensor, tensors.inputZeroPointTensor);
  const filter = subtractZeroPoint(tensors.filterTensor, tensors.filterZeroPointTensor);
  // Sums that do not fit wrap around.
  writeNumbers(output, convolve(operator, input, filter, output.sizes));
};

/** The bias has the unit of the integer sums. The factor made from the three scales is applied after it. */
export const quantizedLinearConvolution: Kernel<'quantizedLinearConvolution'> = (operator, tensors) => {
  const { outputTensor: output, outputZeroPointTensor } = tensors;
  const input = subtractZeroPoint(tensors.inputTensor, tensors.inputZeroPointTensor);
  const filter = subtractZeroPoint(tensors.filterTensor, tensors.filterZeroPointTensor);
  const sums = convolve(operator, input, filter, output.sizes);
  addBias(sums, tensors.biasTensor, output.sizes);
  const [inputScale = 1] = readNumbers(tensors.inputScaleTensor);
  const filterScales = readNumbers(tensors.filterScaleTensor);
  const [outputScale = 1] = readNumbers(tensors.outputScaleTensor);
  const [zeroPoint = 0] = outputZeroPointTensor === null ? [] : readNumbers(outputZeroPointTensor);
  const factors = filterScales.map((scale) => Math.fround(Math.fround(inputScale * scale) / outputScale));
  const [channels = 1, positions] = [output.sizes[1], productOf(output.sizes, 2)];
  requantize(
    output,
    sums,
    (i) => elementOrOnly(factors, Math.floor(i / positions) % channels),
    () => zeroPoint,
  );
};

function numbersOf(view: TensorView): Numbers {
  return { sizes: view.sizes, values: readNumbers(view) };
}

/** The elements minus the zero point. There is one zero point, or one for each index of the first dimension. */
function subtractZeroPoint(view: TensorView, zeroPoint: TensorView | null): Numbers {
  const { sizes, values } = numbersOf(view);
  if (zeroPoint === null) return { sizes, values };
  const zeroPoints = readNumbers(zeroPoint);
  const each = productOf(sizes, 1);
  for (let i = 0; i < values.length; i++) values[i] = (values[i] ?? 0) - elementOrOnly(zeroPoints, Math.floor(i / each));
  return { sizes, values };
}

/** Element `i`, or the only element if there is just one for all. */
function elementOrOnly(values: Float64Array, i: number): number {
  return values[values.length === 1 ? 0 : i] ?? 0;
}

function addBias(sums: Float64Array, bias: TensorView | null, sizes: readonly number[]): void {
  if (bias === null) return;
  const values = readNumbers(bias);
  eachChannel(sizes, (channel, start, end) => {
    for (let i = start; i < end; i++) sums[i] = (sums[i] ?? 0) + (values[channel] ?? 0);
  });
}

/** Visits each channel of each batch; its elements are those from `start` up to `end`. */
function eachChannel(sizes: readonly number[], visit: (channel: number, start: number, end: number) => void): void {
  const [batches = 1, channels = 1] = sizes;
  const positions = productOf(sizes, 2);
  for (let i = 0; i < batches * channels; i++) visit(i % channels, i * positions, (i + 1) * positions);
}

/** Clears the last elements of each spatial dimension, which get no bias either. */
function clearOutputPadding(paddings: readonly number[], sums: Float64Array, sizes: readonly number[]): void {
  paddings.forEach((padding, axis) => {
    if (padding === 0) return;
    const inner = productOf(sizes, axis + 3);
    const line = inner * (sizes[axis + 2] ?? 1);
    for (let end = line; end <= sums.length; end += line) sums.fill(0, end - padding * inner, end);
  });
}

function convolve(
  operator: ConvolutionFields,
  input: Numbers<Float64Array | Float32Array>,
  filter: Numbers,
  outputSizes: readonly number[],
  isHalf = false,
): Float64Array {
  const taps = spatialTaps(operator);
  const groups = operator.groupCount;
  const [batches = 1, outputChannels = 1] = outputSizes;
  const [channels, filters] = [(input.sizes[1] ?? 1) / groups, outputChannels / groups];
  const image = productOf(input.sizes, 2);
  const length = channels * productOf(filter.sizes, 2);
  const rows = operator.direction === 'backward' ? filtersByOutputChannel(filter, groups) : filter.values;
  const positions = productOf(outputSizes, 2);
  const sums = new Float64Array(batches * outputChannels * positions);
  const isInFloat32 = mayOverflow(input.values, rows, { length, factor: 1, isHalf });
  const isByTaps = filters < TILE_ROWS && hasShortLines(taps) && !isInFloat32;
  const apply = isByTaps ? filterByTaps(taps, channels) : filterByColumns(taps, channels, multiplication(length, isInFloat32));
  for (let batch = 0; batch < batches; batch++) {
    for (let group = 0; group < groups; group++) {
      apply({
        images: input.values.subarray((batch * groups + group) * channels * image),
        filters: { values: rows, start: group * filters * length, count: filters, length },
        sums: { values: sums, start: (batch * outputChannels + group * filters) * positions, stride: positions },
      });
    }
  }
  return sums;
}

/** Multiplies filters by the columns of their windows. */
function filterByColumns(taps: SpatialTaps, channels: number, multiply: Multiply): (group: Group) => void {
  return ({ images, filters, sums }) => {
    const layOut = (first: number, count: number, block: Float64Array) =>
      layOutWindows(images, channels, taps, first, count, block);
    multiply(filters, sums.stride, layOut, sums);
  };
}

/**
 * The filters as rows, one per output channel. Those of a transposed convolution are [input channel, output channel of the group,
 * ...].
 */
function filtersByOutputChannel({ sizes, values }: Numbers, groups: number): Float64Array {
  const [inputChannels = 1, filters = 1] = sizes;
  const channels = inputChannels / groups;
  const window = productOf(sizes, 2);
  const rows = new Float64Array(values.length);
  let at = 0;
  for (let group = 0; group < groups; group++) {
    for (let filter = 0; filter < filters; filter++) {
      for (let channel = 0; channel < channels; channel++) {
        const from = ((group * channels + channel) * filters + filter) * window;
        rows.set(values.subarray(from, from + window), at);
        at += window;
      }
    }
  }
  return rows;
}

/**
 * Lays out the windows at `count` output positions from `first` on, one column each: channel by channel, the window in row-major
 * order.
 */
function layOutWindows(
  images: Float64Array | Float32Array,
  channels: number,
  [depth, height, width]: SpatialTaps,
  first: number,
  count: number,
  windows: Float64Array,
): void {
  const image = depth.inputSize * height.inputSize * width.inputSize;
  // The output positions of one line at a time.
  for (let done = 0; done < count;) {
    const line = Math.floor((first + done) / width.outputSize);
    const x = first + done - line * width.outputSize;
    const run = Math.min(count - done, width.outputSize - x);
    const [y, z] = [line % height.outputSize, Math.floor(line / height.outputSize)];
    let at = done;
    for (let start = 0; start < channels * image; start += image) {
      for (let k = z; k < depth.coordinates.length; k += depth.outputSize) {
        const plane = depth.coordinates[k] ?? OUTSIDE;
        for (let j = y; j < height.coordinates.length; j += height.outputSize) {
          const row = height.coordinates[j] ?? OUTSIDE;
          const isOutside = plane === OUTSIDE || row === OUTSIDE;
          const base = start + (plane * height.inputSize + row) * width.inputSize;
          for (let i = x; i < width.coordinates.length; i += width.outputSize) {
            if (isOutside) windows.fill(0, at, at + run);
            else copyTaps(images, base, width.coordinates, i, run, windows, at);
            at += BLOCK_COLUMNS;
          }
        }
      }
    }
    done += run;
  }
}
