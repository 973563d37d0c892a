/** Casts the numbers of options to a data type, as the specification does. */
import { roundToFloat16 } from '../tensors/float16.js';
import { isFloat, isWide, roundToEven, wideRangeOf } from '../tensors/data-types.js';
import type { MLOperandDataType } from './generated/types.js';

/** A number for floats and integers of up to 32 bits, a bigint for those of 64. */
export function castNumber(value: number | bigint, dataType: MLOperandDataType): number | bigint {
  if (isFloat(dataType)) {
    const number = Number(value);
    return dataType === 'float16' ? roundToFloat16(number) : Math.fround(number);
  }
  const { low, high } = wideRangeOf(dataType);
  const whole = typeof value === 'bigint' ? value : bigintOf(value, low, high);
  const cast = whole < low ? low : whole > high ? high : whole;
  return isWide(dataType) ? cast : Number(cast);
}

/** The nearest integer, halves to even; 0 for NaN. */
function bigintOf(value: number, low: bigint, high: bigint): bigint {
  if (Number.isNaN(value)) return 0n;
  if (!Number.isFinite(value)) return value < 0 ? low : high;
  return BigInt(roundToEven(value));
}
