/** Powers: of floats as the shader has them, of integers by multiplying. `scaleBias` goes for base and exponent. */
import { isFloat, isUnsigned } from '../../../data-types/table.js';
import { inRange, readScaled } from '../scale-bias.js';
import { writeNumbers, type TensorView } from '../tensor-view.js';
import type { Kernel } from './kernel.js';

const largestFloat16 = 65504;

export const elementWiseConstantPow: Kernel<'elementWiseConstantPow'> = (operator, { inputTensor, outputTensor }) => {
  const exponent = Math.fround(operator.exponent);
  const bases = readScaled(operator, inputTensor);
  writeNumbers(
    outputTensor,
    bases.map((base) => power(base, exponent)),
  );
};

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

/**
 * exp2(y · log2(|x|)), with an answer of its own for 0 and, for whole exponents, the sign of a negative base: it is
 * that of the exponent as a 32-bit integer, to which it saturates. Also used by localResponseNormalization.
 */
export function power(base: number, exponent: number): number {
  if (base === 0) return 0;
  if (exponent === 0 && !Number.isFinite(base)) return NaN;
  if (base > 0) return base ** exponent;
  if (!Number.isInteger(exponent)) return NaN;
  const isOdd = Math.min(Math.max(exponent, -(2 ** 31)), 2 ** 31 - 1) % 2 !== 0;
  const magnitude = (-base) ** exponent;
  return isOdd ? -magnitude : magnitude;
}

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
