/** Operators that clamp elements to limits, and their gradients. */
import type { DataType } from '../../tensors/generated/enums.js';
import { roundToFloat16 } from '../../tensors/float16.js';
import { isFloat, isWide, largestFloat16, rangeOf, wideRangeOf } from '../../tensors/data-types.js';
import { byBlocks } from '../../compute/blocks.js';
import { keyOf, readKeys, writeKeys } from '../../compute/integers.js';
import { maxNumber, minNumber } from '../../compute/numbers.js';
import { mapped } from '../../compute/scratch.js';
import { readScaled, writeScaled } from '../../compute/scale-bias.js';
import { readBigInts, readNumbers, writeBigInts, writeNumbers, type TensorView } from '../../compute/tensor-view.js';
import type { Kernel } from '../../compute/kernel.js';

/** max(min, min(x, max)). If x is NaN, a limit is the result, as with the shader's instructions. */
const clip: Kernel<'elementWiseClip' | 'elementWiseClip1'> = byBlocks(
  (operator, { inputTensor: input, outputTensor: output }) => {
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
    const [min, max] = limitsOf(operator, input);
    const values = mapped(readScaled(operator, input), (value) => maxNumber(min, minNumber(value, max)));
    writeScaled(output, values);
  },
);

export const elementWiseClip = clip;
export const elementWiseClip1 = clip;

export const elementWiseThreshold: Kernel<'elementWiseThreshold'> = byBlocks((operator, { inputTensor: input, outputTensor }) => {
  const min = given(operator.min, input);
  const values = mapped(readScaled(operator, input), (value) => maxNumber(value, min));
  writeScaled(outputTensor, values);
});

/** The gradient if the input lies between the limits; 0 if it is at or beyond them, or NaN. */
const clipGradient: Kernel<'elementWiseClipGrad' | 'elementWiseClipGrad1'> = byBlocks((operator, tensors) => {
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
  const [min, max] = limitsOf(operator, input);
  const gradients = readNumbers(gradient);
  readNumbers(input).forEach((value, i) => {
    if (!(value > min && value < max)) gradients[i] = 0;
  });
  writeNumbers(output, gradients);
});

export const elementWiseClipGrad = clipGradient;
export const elementWiseClipGrad1 = clipGradient;

interface Limits {
  readonly min: number | bigint;
  readonly max: number | bigint;
  readonly minMaxDataType?: DataType;
}

/** For float16, limits are rounded to nearest. Limits that are float32 fields saturate at 65504 then, even infinite ones. */
function limitsOf({ min, max, minMaxDataType }: Limits, tensor: TensorView): [number, number] {
  const [low, high] = [given(min, tensor), given(max, tensor)];
  if (tensor.dataType !== 'float16') return [low, high];
  const largest = minMaxDataType === undefined ? largestFloat16 : Infinity;
  const rounded = (limit: number) => roundToFloat16(minNumber(maxNumber(limit, -largest), largest));
  return [rounded(low), rounded(high)];
}

/** A limit rounded to float32 for floats, truncated and saturated for integers. */
function given(limit: number | bigint, tensor: TensorView): number {
  const value = Number(limit);
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
