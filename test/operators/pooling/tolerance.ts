/** Tolerances of pooling and its gradients. */
import {
  binades,
  EXACT,
  OF_MAGNITUDES,
  SAME_VALUE,
  type ComputedRow,
  type OperatorTolerance,
  type Variants,
} from '../../conformance/tolerance/row.js';

const AVERAGE: ComputedRow = {
  ulp: 1.5,
  perTerm: 0.5,
  magnitude: OF_MAGNITUDES,
  reason: 'a sum rounds half a unit per term; times the rounded reciprocal of their number, or divided by it',
};

const powers: Variants = {
  pick: (descriptor) => ('p' in descriptor && (descriptor.p === 1 || descriptor.p === 2) ? `p = ${descriptor.p}` : 'other p'),
  rows: {
    'p = 1': { ulp: 0, perTerm: 0.5, reason: 'a sum rounds half a unit per term' },
    'p = 2': { ulp: 2, perTerm: 0.5, reason: 'a square per term and their sum; the square root of 1 ULP' },
    'other p': {
      ulp: 33,
      perTerm: 0.5,
      growth: { text: '13·|log2 y|', at: ({ y }) => 13 * binades(y) },
      reason:
        '(Σ exp2(p · log2 x))^(1/p): 8 for the last exp2, 8 · ln 2 for its argument; the p-th root divides the errors of the terms by p, which leaves as much for each log2, of x up to 9 times smaller than y too',
    },
  },
};

export const tolerances = {
  averagePooling: AVERAGE,
  averagePooling1: AVERAGE,
  averagePoolingGrad: { ...AVERAGE, reason: 'a quotient or a product with a rounded reciprocal per term, and their sum' },
  lpPooling: powers,
  lpPooling1: powers,
  maxPooling: SAME_VALUE,
  maxPooling1: SAME_VALUE,
  maxPooling2: SAME_VALUE,
  // The gradients in the cases are multiples of one number, so that their sums are exact.
  maxPoolingGrad: SAME_VALUE,
  maxUnpooling: EXACT,
  quantizedLinearAveragePooling: { ulp: 0, tail: true },
} satisfies Record<string, OperatorTolerance>;
