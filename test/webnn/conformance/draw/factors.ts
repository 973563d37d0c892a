/** Draws elements that are multiplied and added, so that what is to come out does not depend on the order of the sum. */
import type { MLOperandDataType } from 'node-directml/webnn';
import type { Random } from '../../../random.js';
import { isFloatType, roundTo } from '../elements.js';
import { ordinaryElement, type Draw } from './numbers.js';

/** Eighths up to 8: sums of a hundred of their products are exact in float32. */
export function eighths(random: Random): Draw {
  return () => random.int(-64, 64) / 8;
}

/**
 * For each tensor: eighths, any ordinary numbers, small ones, or these with a few infinities and NaN among them. Nothing
 * overflows, as the specification does not say how wide a sum is that is not finished.
 */
export function drawFactors(random: Random, dataType: MLOperandDataType, hasSpecials = true): Draw {
  if (!isFloatType(dataType)) throw new TypeError(`${dataType} is no float`);
  const usual = random.pick([eighths(random), () => ordinaryElement(random, dataType), smallNumbers(random, dataType)]);
  const share = hasSpecials ? random.pick([0, 0, 0, 0.05, 0.3]) : 0;
  return () => (random.chance(share) ? random.pick([0, -0, Infinity, -Infinity, NaN]) : usual());
}

/** Near 2^-10, so that products of float16 are subnormal. */
function smallNumbers(random: Random, dataType: 'float32' | 'float16'): Draw {
  return () => roundTo(dataType, (random.fraction() * 2 - 1) * 2 ** random.int(-10, -5));
}
