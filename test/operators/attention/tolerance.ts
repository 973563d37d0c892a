/**
 * Tolerances of attention. In its cases no value (with its bias) is larger than 2, and no score larger than 16, except with strange
 * inputs. These give scores of any size, or push all open keys below the masked ones, whose scores are near the filter value. The
 * bound has no room for roundings in such units: there the reference has to take every step of a score as DirectML does.
 */
import type { ComputedRow } from '../../conformance/tolerance/row.js';

const ATTENTION: ComputedRow = {
  ulp: 105,
  perTerm: 16,
  magnitude: 2,
  narrowed: 3,
  reason:
    'the softmax weights have 25 ULP, because they span at most four binades; each rounding of a score is 0.5 ULP of 16, ' +
    'which the exponentials and their sum double; a score rounds a product and a sum per element, and five more times for ' +
    'biases, scale and mask; the output rounds a product and a sum per key; with float16, the exponentials, sums and weights ' +
    'truncate to float16',
};

export const tolerances = { multiheadAttention: ATTENTION, multiheadAttention1: ATTENTION };
