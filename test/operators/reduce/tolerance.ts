/**
 * Tolerances of reductions; scans and fold use them, too. A sum of n terms rounds n − 1 times in any order, each time by half
 * a unit of a partial sum. A product has a relative error: half a unit of a partial product is up to one unit of the result.
 */
import { COMPARED, OF_MAGNITUDES, type ComputedRow, type Variants } from '../../conformance/tolerance/row.js';

const POSITIVE_SUM: ComputedRow = { ulp: 0, perTerm: 0.5, reason: 'each term of the sum rounds by 0.5 ULP' };
export const SUM: ComputedRow = { ...POSITIVE_SUM, magnitude: OF_MAGNITUDES };
export const PRODUCT: ComputedRow = {
  ulp: 0,
  perTerm: 1,
  reason: 'each factor rounds the product by 2⁻²⁴, which is up to 1 ULP',
};

const reduce: Variants = {
  pick: (descriptor) => (descriptor.type === 'reduce' ? descriptor.function : 'sum'),
  rows: {
    argmax: COMPARED,
    argmin: COMPARED,
    average: {
      ...SUM,
      ulp: 1.5,
      perTerm: 1,
      reason: 'a sum, 0.5 ULP of which is up to 1 ULP of the average; then a quotient, or a product with a rounded reciprocal',
    },
    l1: POSITIVE_SUM,
    l2: { ...POSITIVE_SUM, ulp: 2, reason: 'a square per term and their sum; a square root of 1 ULP' },
    logSum: { ...POSITIVE_SUM, ulp: 9, magnitude: 1, reason: 'the logarithm of a sum: 2⁻²¹, absolute for 0.5 to 2' },
    logSumExp: {
      ...POSITIVE_SUM,
      ulp: 18,
      magnitude: 1,
      reason:
        'log(Σ e^x): 8 ULP for the logarithm; 2⁻²¹ for the exponentials; 10 ULP for their arguments of up to 8, half of it as ' +
        'an absolute error',
    },
    max: COMPARED,
    min: COMPARED,
    multiply: PRODUCT,
    sum: SUM,
    sumSquare: { ...POSITIVE_SUM, ulp: 1, reason: 'a square per term, and their sum' },
  },
};

export const tolerances = {
  argmax: COMPARED,
  argmin: COMPARED,
  reduce,
};
