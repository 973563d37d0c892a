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
  reason: "HLSL's cubic polynomial times √(1 − |x|), wrong by up to 6.76e-5, which is 567; 5 roundings",
};

const SINE: ComputedRow = {
  ulp: 6711,
  magnitude: 1,
  reason: 'sincos is right to 0.0008 for arguments up to 100π',
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
    reason: 'sin/cos of sincos: 0.0008 · (1 + |tan x|) / |cos x|, and a division',
  },
  elementWiseLog: {
    ulp: 9,
    magnitude: Math.LN2,
    reason: 'log2(x) · ln 2: 2⁻²¹, from 0.5 to 2 absolutely, and a product with a rounded constant',
  },
  elementWiseExp: {
    ulp: 8,
    growth: perBinade(0.85),
    reason: 'exp2(x · log2 e): 2⁻²¹ for exp2; the product and its constant are rounded, which exp2 turns into 0.85 per binade',
  },
  elementWiseConstantPow: power(({ field }) => field('exponent')),
  elementWiseCosh: {
    ulp: 10,
    growth: perBinade(0.85),
    reason: 'the sum of two exponentials, each as exp; the argument has a binade more than the result',
  },
  elementWiseSinh: {
    ulp: 12,
    growth: perBinade(0.85),
    magnitude: 1,
    reason: 'the difference of two exponentials, each as exp, which cancel near 0: 2⁻²¹ · cosh x',
  },
  elementWiseTanh: {
    ulp: 7,
    magnitude: 1,
    reason: 'quotient of a difference and a sum of exponentials: at most 2⁻²¹ of both together, 3 for roundings',
  },
  elementWiseAcosh: {
    ulp: 6,
    growth: unitsOfOne('1/(4y), 0.75·e^(−2y) for y < 0', (y) => (y === 0 ? 0 : y < 0 ? cancelled(y) : 1 / (4 * y))),
    magnitude: 1,
    reason:
      'log(x + √(x² − 1)): 2⁻²¹ · ln 2, 3 for roundings; rounding x² counts as its half over the root near x = 1; ' +
      'for negative x as asinh',
  },
  elementWiseAsinh: {
    ulp: 6,
    growth: unitsOfOne('0.75·e^(−2y) for y < 0', (y) => (y < 0 ? cancelled(y) : 0)),
    magnitude: 1,
    reason: 'log(x + √(x² + 1)): 2⁻²¹ · ln 2, 3 for roundings; for negative x the sum cancels to e^y and keeps 1.5 ULP of |x|',
  },
  elementWiseAtanh: {
    ulp: 10,
    magnitude: 0.35,
    reason: 'log((1 + x) / (1 − x)) / 2: 2⁻²¹ of the logarithm, absolutely from 0.5 to 2; the quotient’s 2 relative ULP',
  },
  elementWiseAcos: ARC_SINE,
  elementWiseAsin: ARC_SINE,
  elementWiseAtan: {
    ulp: 100,
    magnitude: 1,
    reason: "HLSL's polynomial of degree 9, wrong by up to 1.15e-5, which is 96.4; 3 for roundings",
  },
  elementWiseErf: {
    ulp: 9,
    magnitude: 1,
    reason: '1 − t · polynomial · exp(−x²): 2⁻²¹ for the exponential, 1.5e-7 for the polynomial, 4 for roundings',
  },
} satisfies Record<string, OperatorTolerance>;
