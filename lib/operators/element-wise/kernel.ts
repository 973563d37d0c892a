/**
 * Identity, addition with an activation, and cast. Each output element depends only on the input elements at the same
 * coordinates.
 */
import { isFloat, isUnsigned, isWide } from '../../tensors/data-types.js';
import { byBlocks } from '../../compute/blocks.js';
import { truncateToFloat16 } from '../../compute/numbers.js';
import { mapped } from '../../compute/scratch.js';
import { readScaled, toIntegers, writeScaled } from '../../compute/scale-bias.js';
import {
  hasSignBit,
  moveElements,
  readBigInts,
  readNumbers,
  writeBigInts,
  writeNumbers,
  type TensorView,
} from '../../compute/tensor-view.js';
import { applyFusedActivation } from '../../compute/fused-activation.js';
import type { Kernel } from '../../compute/kernel.js';

export const elementWiseIdentity: Kernel<'elementWiseIdentity'> = byBlocks(
  (operator, { inputTensor: input, outputTensor: output }) => {
    if (operator.scaleBias === null) moveElements(input, 0, output, 0, input.elementCount);
    else writeScaled(output, readScaled(operator, input));
  },
);

export const elementWiseAdd1: Kernel<'elementWiseAdd1'> = byBlocks((operator, { aTensor, bTensor, outputTensor: output }) => {
  const sums = readNumbers(aTensor);
  const addends = readNumbers(bTensor);
  // The activation gets the sum rounded to float32.
  for (let i = 0; i < sums.length; i++) sums[i] = Math.fround((sums[i] ?? 0) + (addends[i] ?? 0));
  applyFusedActivation(operator.fusedActivation, sums, output.sizes);
  writeNumbers(output, sums);
});

/**
 * Converts as DirectML's shaders do. Integers go through 32 bits: a 64-bit one keeps its low half, and results saturate if the
 * target has 8 or 16 bits. Floats become integers by truncation and saturation, and float16 by rounding towards zero. uint64
 * becomes a float as int64 would.
 */
export const cast: Kernel<'cast'> = byBlocks((_operator, { inputTensor: input, outputTensor: output }) => {
  if (input.dataType === output.dataType) {
    moveElements(input, 0, output, 0, input.elementCount);
  } else if (isWide(output.dataType)) {
    writeBigInts(output, isWide(input.dataType) ? readBigInts(input) : widen(input));
  } else if (isFloat(output.dataType)) {
    const digits = output.dataType === 'float64' ? 53 : 24;
    const values = isWide(input.dataType) ? truncatedToDigits(readBigInts(input), digits) : readNumbers(input);
    writeNumbers(output, output.dataType === 'float16' ? truncateToFloat16(values) : values);
  } else if (isFloat(input.dataType)) {
    writeNumbers(output, toIntegers(readNumbers(input), output.dataType));
  } else {
    const unsigned = isUnsigned(output.dataType);
    const values = isWide(input.dataType)
      ? Float64Array.from(readBigInts(input), (value) => Number(BigInt.asIntN(32, value)))
      : readNumbers(input);
    writeNumbers(
      output,
      toIntegers(
        mapped(values, (value) => (unsigned ? value >>> 0 : value | 0)),
        output.dataType,
      ),
    );
  }
});

/**
 * Converts to int64, for uint64 too. Numbers that are too large become 2⁶³ − 1, and those that are too small its negative. NaN
 * becomes one of these, by its sign.
 */
function widen(input: TensorView): BigInt64Array {
  const max = 2n ** 63n - 1n;
  return BigInt64Array.from(readNumbers(input), (value, i) => {
    if (Number.isNaN(value)) return hasSignBit(input, i) ? -max : max;
    if (value >= 2 ** 63) return max;
    return value <= -(2 ** 63) ? -max : BigInt(Math.trunc(value));
  });
}

/** Truncates 64-bit integers to the number of significant bits that a float has. */
function truncatedToDigits(values: BigInt64Array | BigUint64Array, digits: number): Float64Array {
  return Float64Array.from(values, (value) => {
    const signed = BigInt.asIntN(64, value);
    const magnitude = signed < 0n ? -signed : signed;
    const surplus = BigInt(Math.max(0, magnitude.toString(2).length - digits));
    const cut = Number((magnitude >> surplus) << surplus);
    return signed < 0n ? -cut : cut;
  });
}
