/**
 * Rows of the tolerance table that operators of several families have. A sum of n terms rounds n − 1 times in any order, each
 * time by half a unit of a partial sum. A product has a relative error: half a unit of a partial product is up to one unit of the
 * result.
 */
import { binades, OF_MAGNITUDES, type ComputedRow, type Element } from './row.js';

export const POSITIVE_SUM: ComputedRow = { ulp: 0, perTerm: 0.5, reason: 'each term of the sum rounds by 0.5 ULP' };
export const SUM: ComputedRow = { ...POSITIVE_SUM, magnitude: OF_MAGNITUDES };
export const PRODUCT: ComputedRow = {
  ulp: 0,
  perTerm: 1,
  reason: 'each factor rounds the product by 2⁻²⁴, which is up to 1 ULP',
};

/** `b` gives the exponent, which is an element of the second tensor or a field. */
export function power(b: (element: Element) => number): ComputedRow {
  return {
    ulp: 9,
    growth: {
      text: '5.6·max(|b|, |log2 y|) + 0.7·|log2 y| ULP',
      at: (element) => 5.6 * Math.max(Math.abs(b(element)), binades(element.y)) + 0.7 * binades(element.y),
    },
    reason:
      'exp2(b · log2(a)): 2⁻²¹ for exp2; 2⁻²¹ for log2, which is absolute for a from 0.5 to 2 and counts |b| · ln 2 times; ' +
      'for other a, it is relative to b · log2(a)',
  };
}
