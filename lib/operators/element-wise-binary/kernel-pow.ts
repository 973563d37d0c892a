/**
 * Powers: floats as DirectML's shader computes them, integers by multiplication. `scaleBias` applies to both base and exponent.
 */
import { isFloat, isUnsigned, largestFloat16 } from '../../tensors/data-types.js';
import { byBlocks } from '../../compute/blocks.js';
import { mapped } from '../../compute/scratch.js';
import { readScaled, toOutputRange } from '../../compute/scale-bias.js';
import { writeNumbers, type TensorView } from '../../compute/tensor-view.js';
import { power } from '../../compute/power.js';
import type { Kernel } from '../../compute/kernel.js';

export const elementWisePow: Kernel<'elementWisePow'> = byBlocks((operator, tensors) => {
  const { inputTensor: base, exponentTensor: exponent, outputTensor: output } = tensors;
  const bases = readScaled(operator, base);
  const exponents = readScaled(operator, exponent);
  if (isFloat(base.dataType) || isFloat(exponent.dataType)) {
    const limit = isNarrow(exponent) ? largestFloat16 : Infinity;
    const powers = mapped(bases, (value, i) => infiniteBeyond(limit, power(value, exponents[i] ?? 0)));
    writeNumbers(output, toOutputRange(powers, output));
  } else {
    const wrap = isUnsigned(output.dataType) ? (value: number) => value >>> 0 : (value: number) => value | 0;
    const powers = mapped(bases, (value, i) => wrap(integerPower(value, exponents[i] ?? 0)));
    writeNumbers(output, toOutputRange(powers, output));
  }
});

/** True for exponents of 8 or 16 bits. With these, powers of any type are infinite beyond the largest float16. */
function isNarrow({ wordsPerElement, words }: TensorView): boolean {
  return wordsPerElement * words.BYTES_PER_ELEMENT < 4;
}

function infiniteBeyond(limit: number, value: number): number {
  return Math.abs(value) > limit ? Math.sign(value) * Infinity : value;
}

/** Computed in 32 bits, wrapping around. With a negative exponent the power is truncated to an integer. */
function integerPower(base: number, exponent: number): number {
  if (exponent < 0) return base === 1 || base === -1 ? integerPower(base, -exponent) : 0;
  let result = 1;
  let square = base;
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = Math.imul(result, square);
    square = Math.imul(square, square);
  }
  return result;
}
