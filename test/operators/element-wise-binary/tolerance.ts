/** Tolerances of the element-wise operators on two or three tensors. */
import {
  binades,
  COMPARED,
  EXACT,
  SAME_VALUE,
  type ComputedRow,
  type Element,
  type OperatorTolerance,
} from '../../conformance/tolerance/row.js';

const ROUNDED: ComputedRow = { ulp: 0, reason: 'one sum, difference or product, rounded to nearest even' };

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

const MODULUS: ComputedRow = {
  ulp: 0,
  reason:
    'the product and the difference are rounded to nearest even; the quotient was observed to be so too, which is not promised',
};

export const tolerances = {
  elementWiseAdd: ROUNDED,
  elementWiseSubtract: ROUNDED,
  elementWiseMultiply: ROUNDED,
  elementWiseDivide: { ulp: 1, reason: 'one division: 1 ULP' },
  elementWiseMean: ROUNDED,
  elementWiseDifferenceSquare: {
    ulp: 2.5,
    reason: 'squaring doubles the error of the rounded difference, and rounds again',
  },
  elementWiseMax: SAME_VALUE,
  elementWiseMin: SAME_VALUE,
  elementWiseModulusTruncate: MODULUS,
  elementWiseModulusFloor: MODULUS,
  elementWiseAtanYx: {
    ulp: 104,
    magnitude: 1,
    reason: "atan of a quotient (1 ULP): 96.4 ULP for HLSL's polynomial; the subtraction from π rounds by 3 ULP more",
  },
  elementWisePow: power(({ x: [, exponent = 0] }) => exponent),
  elementWiseIf: EXACT,
  elementWiseBitAnd: EXACT,
  elementWiseBitOr: EXACT,
  elementWiseBitXor: EXACT,
  elementWiseBitShiftLeft: EXACT,
  elementWiseBitShiftRight: EXACT,
  elementWiseLogicalAnd: EXACT,
  elementWiseLogicalOr: EXACT,
  elementWiseLogicalXor: EXACT,
  elementWiseLogicalEquals: COMPARED,
  elementWiseLogicalGreaterThan: COMPARED,
  elementWiseLogicalGreaterThanOrEqual: COMPARED,
  elementWiseLogicalLessThan: COMPARED,
  elementWiseLogicalLessThanOrEqual: COMPARED,
} satisfies Record<string, OperatorTolerance>;
