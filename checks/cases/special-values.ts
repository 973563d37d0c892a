/** Infinities, NaN, and numbers whose sums and products overflow or underflow, mixed into ordinary elements. */
import type { Random } from '../harness/random.js';
import type { DataType } from './case.js';
import { floatElement, SPECIALS } from './element-values.js';

/** The sum of the two largest overflows; with a negative third, it depends on the order. Products overflow or underflow. */
const FAR: Readonly<Partial<Record<DataType, readonly number[]>>> = {
  float32: [3e38, 3e38, -3e38, -3e38, 1e38, -2e38, 1e30, -1e25, 3e19, -1e19, 1e-15, -1e-30],
  float16: [65504, 65504, -65504, -65504, 40000, -30000, 2000, -300, 2 ** -14, -(2 ** -20)],
};

/** Returns a special generator of a tensor's elements, or the same one. */
export type WithSpecials = (element: () => number) => () => number;

/**
 * Makes a few, many or all elements of some tensors special. `share` is the share of such tensors. A float16 case has either
 * infinities and NaN or large numbers, not both: next to infinite inputs, a result that overflows to 65504 would count as an
 * error.
 */
export function withSpecials(random: Random, dataType: DataType, share: number, isFar = true): WithSpecials {
  const far = isFar ? (FAR[dataType] ?? []) : [];
  const kinds = [SPECIALS, ...(far.length === 0 ? [] : [far])];
  const kind = random.pick(kinds);
  return (element) => {
    if (!random.chance(share)) return element;
    const among = dataType === 'float16' ? kind : random.pick([...kinds, kinds.flat()]);
    const often = random.pick([0.05, 0.3, 1]);
    return () => (random.chance(often) ? floatElement(dataType, random.pick(among)) : element());
  };
}
