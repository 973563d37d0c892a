/** Quantization in blocks, and with a scale that the operator computes itself. Computed in float32, step by step. */
import { rangeOf, roundToEven } from '../../tensors/data-types.js';
import type { DataType } from '../../tensors/generated/enums.js';
import { maxNumber, minNumber, truncateToFloat16 } from '../../compute/numbers.js';
import { forEachBlock } from '../../compute/blocks.js';
import { mapped } from '../../compute/scratch.js';
import { partOf, readNumbers, writeNumbers, type TensorView } from '../../compute/tensor-view.js';
import { sumTerms, termsByAxis } from '../../compute/element-map.js';
import type { Kernel } from '../../compute/kernel.js';
import { quantize as quantizeEach } from '../../compute/quantization.js';

/** NaN becomes the lowest level. */
export const quantize: Kernel<'quantize'> = (_operator, { inputTensor: input, quantizationTensors, outputTensor: output }) => {
  const { scales, zeroPoints, middle, blocksIn } = parametersOf(input, quantizationTensors, output.dataType);
  forEachBlock(input.sizes, [], (starts, lengths) => {
    const blocks = blocksIn(starts, lengths);
    quantizeEach(
      partOf(output, starts, lengths),
      readNumbers(partOf(input, starts, lengths)),
      (i) => scales[blocks[i] ?? 0] ?? 1,
      (i) => zeroPoints?.[blocks[i] ?? 0] ?? middle,
      rangeOf(output.dataType).low,
    );
  });
};

export const dequantize: Kernel<'dequantize'> = (
  _operator,
  { inputTensor: input, quantizationTensors, outputTensor: output },
) => {
  const { scales, zeroPoints, middle, blocksIn } = parametersOf(input, quantizationTensors, input.dataType);
  forEachBlock(input.sizes, [], (starts, lengths) => {
    const blocks = blocksIn(starts, lengths);
    const values = readNumbers(partOf(input, starts, lengths));
    for (let i = 0; i < values.length; i++) {
      const block = blocks[i] ?? 0;
      values[i] = ((values[i] ?? 0) - (zeroPoints?.[block] ?? middle)) * (scales[block] ?? 1);
    }
    const part = partOf(output, starts, lengths);
    writeNumbers(part, output.dataType === 'float16' ? truncateToFloat16(values) : values);
  });
};

/**
 * The scales and zero points. For the elements of a part of `input`, `blocksIn` gives the row-major numbers of their blocks, which
 * are indices into both. Without zero points it is the middle of the levels: 0 for signed types, 8 or 128 for unsigned ones.
 */
function parametersOf(input: TensorView, [scale, zeroPoint]: readonly TensorView[], levels: DataType) {
  if (scale === undefined) throw new TypeError('validation lets no descriptor without a scale pass');
  const { low, high } = rangeOf(levels);
  const { sizes } = input;
  const counts = scale.sizes;
  const blockAlong = (coordinate: number, axis: number) => Math.floor((coordinate * (counts[axis] ?? 1)) / (sizes[axis] ?? 1));
  return {
    middle: Math.ceil((low + high) / 2),
    scales: readNumbers(scale),
    zeroPoints: zeroPoint === undefined ? null : readNumbers(zeroPoint),
    blocksIn: (starts: readonly number[], lengths: readonly number[]) => {
      return sumTerms(termsByAxis(lengths, counts, (i, axis) => blockAlong((starts[axis] ?? 0) + i, axis)));
    },
  };
}

/**
 * The range of the levels is extended to contain 0, so that 0 is a level. NaN is skipped, and becomes the lowest level. Elements
 * are multiplied by the rounded 1 / scale, and so is the smallest one for the zero point.
 */
export const dynamicQuantizeLinear: Kernel<'dynamicQuantizeLinear'> = (_operator, tensors) => {
  const { inputTensor: input, outputTensor: output } = tensors;
  const { low, high } = rangeOf(output.dataType);
  let [smallest, largest] = [0, 0];
  forEachBlock(input.sizes, [], (starts, lengths) => {
    const values = readNumbers(partOf(input, starts, lengths));
    smallest = values.reduce(minNumber, smallest);
    largest = values.reduce(maxNumber, largest);
  });
  const scale = Math.fround(Math.fround(largest - smallest) * Math.fround(1 / (high - low)));
  const reciprocal = Math.fround(1 / scale);
  const level = roundToEven(Math.fround(low - Math.fround(smallest * reciprocal)));
  const zeroPoint = Number.isNaN(level) ? low : Math.min(Math.max(level, low), high);
  forEachBlock(input.sizes, [], (starts, lengths) => {
    quantizeEach(
      partOf(output, starts, lengths),
      mapped(readNumbers(partOf(input, starts, lengths)), (value) => value * reciprocal),
      () => 1,
      () => zeroPoint,
      low,
    );
  });
  writeNumbers(tensors.outputScaleTensor, Float64Array.of(scale));
  writeNumbers(tensors.outputZeroPointTensor, Float64Array.of(zeroPoint));
};
