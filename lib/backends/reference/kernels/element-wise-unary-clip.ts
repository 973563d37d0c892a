/** Operators that clamp elements to limits, and their gradients. */
import { isFloat, isWide, rangeOf, wideRangeOf } from '../../../data-types/table.js';
import { keyOf, readKeys, writeKeys } from '../compute/integers.js';
import { maxNumber, minNumber, truncateToFloat16 } from '../compute/numbers.js';
import { readScaled, toOutputRange } from '../compute/scale-bias.js';
import { readBigInts, readNumbers, writeBigInts, writeNumbers, type TensorView } from '../compute/tensor-view.js';
import type { Kernel } from './kernel.js';

/** max(min, min(x, max)). If x is NaN, a limit is the result, as with the shader's instructions. */
const clip: Kernel<'elementWiseClip' | 'elementWiseClip1'> = (operator, { inputTensor: input, outputTensor: output }) => {
  if (isWide(input.dataType)) {
    const [min, max] = [keyLimit(operator.min, input), keyLimit(operator.max, input)];
    const values = readKeys(input);
    for (let i = 0; i < values.length; i++) {
      const value = values[i] ?? 0n;
      const low = value < max ? value : max;
      values[i] = low > min ? low : min;
    }
    writeKeys(output, values);
    return;
  }
  const [min, max] = [limit(operator.min, input), limit(operator.max, input)];
  const values = readScaled(operator, input).map((value) => maxNumber(min, minNumber(value, max)));
  writeClipped(output, values);
};

export const elementWiseClip = clip;
export const elementWiseClip1 = clip;

export const elementWiseThreshold: Kernel<'elementWiseThreshold'> = (operator, { inputTensor: input, outputTensor }) => {
  const min = limit(operator.min, input);
  const values = readScaled(operator, input).map((value) => maxNumber(value, min));
  writeClipped(outputTensor, values);
};

/** The gradient if the input lies between the limits; 0 if it is at or beyond them, or NaN. */
const clipGradient: Kernel<'elementWiseClipGrad' | 'elementWiseClipGrad1'> = (operator, tensors) => {
  const { inputTensor: input, inputGradientTensor: gradient, outputGradientTensor: output } = tensors;
  if (isWide(input.dataType)) {
    const [min, max] = [keyLimit(operator.min, input), keyLimit(operator.max, input)];
    const gradients = readBigInts(gradient);
    readKeys(input).forEach((value, i) => {
      if (value <= min || value >= max) gradients[i] = 0n;
    });
    writeBigInts(output, gradients);
    return;
  }
  const [min, max] = [limit(operator.min, input), limit(operator.max, input)];
  const gradients = readNumbers(gradient);
  readNumbers(input).forEach((value, i) => {
    if (!(value > min && value < max)) gradients[i] = 0;
  });
  writeNumbers(output, gradients);
};

export const elementWiseClipGrad = clipGradient;
export const elementWiseClipGrad1 = clipGradient;

/** A limit as the shader has it: rounded to float32 for floats, truncated and saturated for integers. */
function limit(given: number | bigint, tensor: TensorView): number {
  const value = Number(given);
  if (isFloat(tensor.dataType)) return Math.fround(value);
  const { low, high } = rangeOf(tensor.dataType);
  return minNumber(maxNumber(Math.trunc(value), low), high);
}

function keyLimit(value: number | bigint, tensor: TensorView): bigint {
  return keyOf(wideLimit(value, tensor), tensor);
}

function wideLimit(value: number | bigint, { dataType }: TensorView): bigint {
  if (typeof value === 'bigint') return value;
  const { low, high } = wideRangeOf(dataType);
  if (Number.isNaN(value) || value <= Number(low)) return low;
  return value >= Number(high) ? high : BigInt(Math.trunc(value));
}

/** Float16 is truncated, which changes nothing but a limit. */
function writeClipped(output: TensorView, values: Float64Array): void {
  writeNumbers(output, output.dataType === 'float16' ? truncateToFloat16(values) : toOutputRange(values, output));
}
