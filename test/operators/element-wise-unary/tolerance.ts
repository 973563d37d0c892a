/** Tolerances of the element-wise operators on one tensor. */
import {
  EXACT,
  perBinade,
  SAME_VALUE,
  ulpOf,
  type ComputedRow,
  type Dependent,
  type OperatorTolerance,
} from '../../conformance/tolerance/row.js';
import { power } from '../element-wise-binary/tolerance.js';

const ARC_SINE: ComputedRow = {
  ulp: 572,
  magnitude: 1,
  reason: "HLSL's cubic polynomial times √(1 − |x|) has an error of up to 6.76e-5, which is 567 ULP; 5 roundings",
};

const SINE: ComputedRow = {
  ulp: 6711,
  magnitude: 1,
  reason: 'the shader instruction sincos has an absolute error of up to 0.0008 for arguments up to 100π',
};

/** An absolute error in ULP of 1; it is fewer ULP of a result that is larger than 1. */
function unitsOfOne(formula: string, units: (y: number) => number): Dependent {
  return {
    text: `${formula} ULP of 1`,
    at: ({ y }) => (units(y) * ulpOf('float32', 1)) / ulpOf('float32', Math.max(1, Math.abs(y))),
  };
}

function cancelled(y: number): number {
  return 0.75 * Math.exp(-2 * y);
}

export const tolerances = {
  elementWiseAbs: SAME_VALUE,
  elementWiseBitCount: EXACT,
  elementWiseBitNot: EXACT,
  elementWiseCeil: SAME_VALUE,
  elementWiseClip: SAME_VALUE,
  elementWiseClip1: SAME_VALUE,
  elementWiseClipGrad: SAME_VALUE,
  elementWiseClipGrad1: SAME_VALUE,
  elementWiseFloor: SAME_VALUE,
  elementWiseIsInfinity: EXACT,
  elementWiseIsNan: EXACT,
  elementWiseLogicalNot: EXACT,
  elementWiseNegate: SAME_VALUE,
  elementWiseRound: SAME_VALUE,
  elementWiseSign: SAME_VALUE,
  elementWiseThreshold: SAME_VALUE,
  elementWiseRecip: { ulp: 1, reason: 'one division: 1 ULP' },
  elementWiseSqrt: { ulp: 1, reason: 'sqrt: 1 ULP' },
  elementWiseCos: SINE,
  elementWiseSin: SINE,
  elementWiseTan: {
    ulp: 2,
    growth: unitsOfOne('6711·(1 + |y|)·√(1 + y²)', (y) => 6711 * (1 + Math.abs(y)) * Math.hypot(1, y)),
    magnitude: 1,
    reason: 'the quotient of sin and cos from sincos: 0.0008 · (1 + |tan x|) / |cos x|, and a division',
  },
  elementWiseLog: {
    ulp: 9,
    magnitude: Math.LN2,
    reason: 'log2(x) · ln 2: 2⁻²¹, as an absolute error for x from 0.5 to 2; a product with a rounded constant',
  },
  elementWiseExp: {
    ulp: 8,
    growth: perBinade(0.85),
    reason:
      'exp2(x · log2 e): 2⁻²¹ for exp2; the rounded product and its rounded constant become 0.85 ULP per binade of the result',
  },
  elementWiseConstantPow: power(({ field }) => field('exponent')),
  elementWiseCosh: {
    ulp: 10,
    growth: perBinade(0.85),
    reason: 'the sum of two exponentials, each with the error of exp; the argument has one binade more than the result',
  },
  elementWiseSinh: {
    ulp: 12,
    growth: perBinade(0.85),
    magnitude: 1,
    reason: 'the difference of two exponentials, each with the error of exp; near 0 they cancel: 2⁻²¹ · cosh x',
  },
  elementWiseTanh: {
    ulp: 7,
    magnitude: 1,
    reason: 'a difference of exponentials divided by their sum: at most 2⁻²¹ for both together, 3 ULP for roundings',
  },
  elementWiseAcosh: {
    ulp: 6,
    growth: unitsOfOne('1/(4y), 0.75·e^(−2y) for y < 0', (y) => (y === 0 ? 0 : y < 0 ? cancelled(y) : 1 / (4 * y))),
    magnitude: 1,
    reason:
      'log(x + √(x² − 1)): 2⁻²¹ · ln 2, 3 ULP for roundings; near x = 1, rounding x² adds half its error divided by the root; ' +
      'negative x has the error of asinh',
  },
  elementWiseAsinh: {
    ulp: 6,
    growth: unitsOfOne('0.75·e^(−2y) for y < 0', (y) => (y < 0 ? cancelled(y) : 0)),
    magnitude: 1,
    reason:
      'log(x + √(x² + 1)): 2⁻²¹ · ln 2, 3 ULP for roundings; for negative x the sum cancels to e^y, but keeps an error of 1.5 ' +
      'ULP of |x|',
  },
  elementWiseAtanh: {
    ulp: 10,
    magnitude: 0.35,
    reason:
      'log((1 + x) / (1 − x)) / 2: 2⁻²¹ for the logarithm, as an absolute error from 0.5 to 2; 2 relative ULP for the quotient',
  },
  elementWiseAcos: ARC_SINE,
  elementWiseAsin: ARC_SINE,
  elementWiseAtan: {
    ulp: 100,
    magnitude: 1,
    reason: "HLSL's polynomial of degree 9 has an error of up to 1.15e-5, which is 96.4 ULP; 3 ULP for roundings",
  },
  elementWiseErf: {
    ulp: 9,
    magnitude: 1,
    reason: '1 − t · polynomial · exp(−x²): 2⁻²¹ for the exponential, 1.5e-7 for the polynomial, 4 ULP for roundings',
  },
} satisfies Record<string, OperatorTolerance>;
