/** Powers: of floats as the shader has them, of integers by multiplying. `scaleBias` goes for base and exponent. */
import { isFloat, isUnsigned } from '../../../data-types/table.js';
import { inRange, readScaled } from '../compute/scale-bias.js';
import { writeNumbers, type TensorView } from '../compute/tensor-view.js';
import { power } from '../compute/power.js';
import type { Kernel } from './kernel.js';

const largestFloat16 = 65504;

export const elementWisePow: Kernel<'elementWisePow'> = (
  operator,
  { inputTensor: base, exponentTensor: exponent, outputTensor: output },
) => {
  const bases = readScaled(operator, base);
  const exponents = readScaled(operator, exponent);
  if (isFloat(base.dataType) || isFloat(exponent.dataType)) {
    const most = isNarrow(exponent) ? largestFloat16 : Infinity;
    const powers = bases.map((value, i) => infiniteBeyond(most, power(value, exponents[i] ?? 0)));
    writeNumbers(output, inRange(powers, output));
  } else {
    const wrap = isUnsigned(output.dataType) ? (value: number) => value >>> 0 : (value: number) => value | 0;
    const powers = bases.map((value, i) => wrap(integerPower(value, exponents[i] ?? 0)));
    writeNumbers(output, inRange(powers, output));
  }
};

/** Beside exponents of 8 or 16 bits, powers of any type are infinite where those of float16 are. */
function isNarrow({ wordsPerElement, words }: TensorView): boolean {
  return wordsPerElement * words.BYTES_PER_ELEMENT < 4;
}

function infiniteBeyond(most: number, value: number): number {
  return Math.abs(value) > most ? Math.sign(value) * Infinity : value;
}

/** In 32 bits that wrap around. A negative exponent cuts off a fraction. */
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
