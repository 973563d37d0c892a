/** Quantization in blocks, and with a scale that the operator computes itself. Computed in float32, step by step. */
import { rangeOf, roundToEven } from '../../tensors/data-types.js';
import type { DataType } from '../../tensors/generated/enums.js';
import { maxNumber, minNumber, truncateToFloat16 } from '../../compute/numbers.js';
import { readNumbers, writeNumbers, type TensorView } from '../../compute/tensor-view.js';
import { sumTerms, termsByAxis } from '../../compute/element-map.js';
import type { Kernel } from '../../compute/kernel.js';
import { quantize as quantizeEach } from '../../compute/quantization.js';

/** NaN becomes the lowest level. */
export const quantize: Kernel<'quantize'> = (_operator, { inputTensor: input, quantizationTensors, outputTensor: output }) => {
  const { blocks, scales, zeroPoints, middle } = parametersOf(input, quantizationTensors, output.dataType);
  quantizeEach(
    output,
    readNumbers(input),
    (i) => scales[blocks[i] ?? 0] ?? 1,
    (i) => zeroPoints?.[blocks[i] ?? 0] ?? middle,
    rangeOf(output.dataType).low,
  );
};

export const dequantize: Kernel<'dequantize'> = (
  _operator,
  { inputTensor: input, quantizationTensors, outputTensor: output },
) => {
  const { blocks, scales, zeroPoints, middle } = parametersOf(input, quantizationTensors, input.dataType);
  const values = readNumbers(input);
  for (let i = 0; i < values.length; i++) {
    const block = blocks[i] ?? 0;
    values[i] = ((values[i] ?? 0) - (zeroPoints?.[block] ?? middle)) * (scales[block] ?? 1);
  }
  writeNumbers(output, output.dataType === 'float16' ? truncateToFloat16(values) : values);
};

/**
 * The scales and zero points, and for each element of `input` the number of its block, which is the index into both. Without zero
 * points it is the middle of the levels: 0 for signed types, 8 or 128 for unsigned ones.
 */
function parametersOf(input: TensorView, [scale, zeroPoint]: readonly TensorView[], levels: DataType) {
  if (scale === undefined) throw new TypeError('validation lets no descriptor without a scale pass');
  const { low, high } = rangeOf(levels);
  return {
    middle: Math.ceil((low + high) / 2),
    blocks: blocksOf(input.sizes, scale.sizes),
    scales: readNumbers(scale),
    zeroPoints: zeroPoint === undefined ? null : readNumbers(zeroPoint),
  };
}

/** The row-major number of the block that each element lies in. `counts` is the number of blocks along each axis. */
function blocksOf(sizes: readonly number[], counts: readonly number[]): Uint32Array {
  const blockAlong = (coordinate: number, axis: number) => Math.floor((coordinate * (counts[axis] ?? 1)) / (sizes[axis] ?? 1));
  return sumTerms(termsByAxis(sizes, counts, blockAlong));
}

/**
 * The range of the levels is extended to contain 0, so that 0 is a level. NaN is skipped, and becomes the lowest level. Elements
 * are multiplied by the rounded 1 / scale, and so is the smallest one for the zero point.
 */
export const dynamicQuantizeLinear: Kernel<'dynamicQuantizeLinear'> = (_operator, tensors) => {
  const output = tensors.outputTensor;
  const values = readNumbers(tensors.inputTensor);
  const { low, high } = rangeOf(output.dataType);
  const smallest = values.reduce(minNumber, 0);
  const largest = values.reduce(maxNumber, 0);
  const scale = Math.fround(Math.fround(largest - smallest) * Math.fround(1 / (high - low)));
  const reciprocal = Math.fround(1 / scale);
  const level = roundToEven(Math.fround(low - Math.fround(smallest * reciprocal)));
  const zeroPoint = Number.isNaN(level) ? low : Math.min(Math.max(level, low), high);
  quantizeEach(
    output,
    values.map((value) => value * reciprocal),
    () => 1,
    () => zeroPoint,
    low,
  );
  writeNumbers(tensors.outputScaleTensor, Float64Array.of(scale));
  writeNumbers(tensors.outputZeroPointTensor, Float64Array.of(zeroPoint));
};
