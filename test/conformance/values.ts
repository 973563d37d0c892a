/** Random element values that arithmetic can be tried on. */
import { float16ToBits } from '#lib/float16.js';
import type { Random } from '../random.js';
import type { DataType } from './case.js';

/** No value of {@link arithmeticValue} is larger. */
export const LARGEST = 16;

/**
 * A value for arithmetic (bits for float16): floats up to 16 in magnitude, now and then a zero, an infinity or NaN;
 * integers of small magnitude. No subnormals, for a graphics processor may flush them to zero.
 */
export function arithmeticValue(random: Random, dataType: DataType): number {
  if (dataType.startsWith('float') && random.chance(0.04)) return specialValue(random, dataType);
  if (dataType === 'float16') {
    return (random.int(0, 1) << 15) | (random.int(8, 18) << 10) | random.int(0, 1023);
  }
  if (dataType.startsWith('float')) return (random.fraction() * 2 - 1) * LARGEST * 2 ** -random.int(0, 8);
  return dataType.startsWith('uint') ? random.int(0, 15) : random.int(-15, 15);
}

/** A multiple of 1/32 up to 16 in magnitude: the sum of two is a float16. Now and then a special value. */
export function summand(random: Random, dataType: DataType): number {
  if (random.chance(0.04)) return specialValue(random, dataType);
  const value = random.int(-32 * LARGEST, 32 * LARGEST) / 32;
  return dataType === 'float16' ? float16ToBits(value) : value;
}

function specialValue(random: Random, dataType: DataType): number {
  const value = random.pick([0, -0, Infinity, -Infinity, NaN]);
  return dataType === 'float16' ? float16ToBits(value) : value;
}

/** A value that every numeric type but an unsigned one can hold; for the unsigned ones of no negative sign. */
export function castValue(random: Random, from: DataType, to: DataType): number | bigint {
  const unsigned = from.startsWith('uint') || to.startsWith('uint');
  if (from === 'float16') {
    const sign = unsigned ? 0 : random.int(0, 1) << 15;
    // 2⁻⁷ up to just under 128, the most that int8 holds.
    return random.chance(0.05) ? sign : sign | (random.int(8, 21) << 10) | random.int(0, 1023);
  }
  if (from.startsWith('float')) {
    const value = random.fraction() * limitOf(to) * 2 ** -random.int(0, 10);
    return unsigned || random.chance(0.5) ? value : -value;
  }
  if (to.startsWith('float')) {
    const most = Math.min(limitOf(from), to === 'float16' ? 65504 : 2 ** 31 - 1);
    return random.int(unsigned ? 0 : -most, most);
  }
  // Between integers the low bits are what counts: any bits will do.
  return (BigInt(random.int(-(2 ** 31), 2 ** 31 - 1)) << 32n) | BigInt(random.int(0, 2 ** 31 - 1));
}

function limitOf(dataType: DataType): number {
  if (dataType === 'float16') return 65504;
  if (dataType.endsWith('8')) return 127;
  if (dataType.endsWith('16')) return 32767;
  return 2 ** 31 - 256;
}
