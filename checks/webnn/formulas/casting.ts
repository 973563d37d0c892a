/** cast. Numbers in options are cast in elements.ts. */
import { isFloatType, limitsOf, natural, wrappedTo } from '../elements.js';
import type { Formula } from '../operator.js';
import { combined } from '../plain-tensor.js';

/**
 * A float becomes the nearest value of another float type. In an integer type, it is truncated; out of range, the result is open.
 * An integer keeps its lowest bits in another integer type, and becomes the nearest value of a float type.
 */
export const cast: Formula<'cast'> = (input, dataType) => {
  return combined(dataType, [input], (x) => {
    if (isFloatType(dataType)) return typeof x === 'bigint' ? nearest(x) : x;
    if (typeof x === 'bigint' || !isFloatType(input.dataType)) return wrappedTo(dataType, BigInt(x));
    const { low, high } = limitsOf(dataType);
    const whole = Math.trunc(x);
    if (!Number.isFinite(x) || whole < low || whole > high) return { value: natural(dataType, 0n), also: 'any' };
    return natural(dataType, BigInt(whole));
  });
};

/** A number of 40 bits that float32 and float16 round like the integer itself: its last bit is odd if any cut bit was set. */
function nearest(x: bigint): number {
  const magnitude = x < 0n ? -x : x;
  const kept = 40n;
  const shift = BigInt(magnitude.toString(2).length) - kept;
  if (shift <= 0n) return Number(x);
  const rest = magnitude & ((1n << shift) - 1n);
  const sticky = ((magnitude >> shift) | (rest === 0n ? 0n : 1n)) << shift;
  return Number(x < 0n ? -sticky : sticky);
}
