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
  reason: 'each term of the sum rounds by 0.5 ULP; divided by their number, or multiplied by its rounded reciprocal',
};

const powers: Variants = {
  pick: (descriptor) => ('p' in descriptor && (descriptor.p === 1 || descriptor.p === 2) ? `p = ${descriptor.p}` : 'other p'),
  rows: {
    'p = 1': { ulp: 0, perTerm: 0.5, reason: 'each term of the sum rounds by 0.5 ULP' },
    'p = 2': { ulp: 2, perTerm: 0.5, reason: 'a square per term and their sum; a square root with an error of 1 ULP' },
    'other p': {
      ulp: 33,
      perTerm: 0.5,
      growth: { text: '13·|log2 y|', at: ({ y }) => 13 * binades(y) },
      reason:
        '(Σ exp2(p · log2 x))^(1/p): 8 ULP for the last exp2, 8 · ln 2 for its argument; the p-th root divides the errors of ' +
        'the terms by p, which leaves as much for each log2, also if x is up to 9 times smaller than y',
    },
  },
};

export const tolerances = {
  averagePooling: AVERAGE,
  averagePooling1: AVERAGE,
  averagePoolingGrad: { ...AVERAGE, reason: 'per term a quotient, or a product with a rounded reciprocal; and their sum' },
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
