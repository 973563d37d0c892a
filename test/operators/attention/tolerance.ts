/** Tolerances of attention. In its cases no value (with its bias) is larger than 2, and no score larger than 16. */
import type { ComputedRow } from '../../conformance/tolerance/row.js';

const ATTENTION: ComputedRow = {
  ulp: 105,
  perTerm: 16,
  magnitude: 2,
  narrowed: 3,
  reason:
    'weights are a softmax, 25 ULP as the binades of all weights are no more than four; each rounding of a score, whose ' +
    'product has a product and a sum per element, with five more for biases, scale and mask, is half a unit of 16, ' +
    'which exponentials and their sum double; then a product and a sum per key; float16 keeps exponentials, sums and weights as float16',
};

export const tolerances = { multiheadAttention: ATTENTION, multiheadAttention1: ATTENTION };
