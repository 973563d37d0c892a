/** Tolerances of the activations. Where a case gives the largest intermediate result, units are of that. */
import { EXACT, perBinade, type ComputedRow, type OperatorTolerance } from './row.js';

const PRODUCT: ComputedRow = { ulp: 0, reason: 'one product, rounded to the nearest' };
const PRODUCT_AND_SUM: ComputedRow = { ulp: 1, reason: 'a product and a sum, each rounded to the nearest' };

const ONE_EXPONENTIAL: ComputedRow = {
  ulp: 10,
  reason: 'alpha · (e^x − 1) for negative x: 2⁻²¹ of alpha for the exponential; a difference and a product',
};

const SOFTPLUS: ComputedRow = {
  ulp: 19,
  reason: 'log(1 + e^x): 2⁻²¹ for the exponential, 2⁻²¹ for the logarithm, each of the largest intermediate; 3 roundings',
};

const SOFTMAX: ComputedRow = {
  ulp: 18,
  perTerm: 0.5,
  growth: perBinade(1.55),
  narrowed: 2,
  reason:
    'a quotient of exponentials: 2⁻²¹ for its own and for those in the sum, which rounds once per term; per binade ' +
    'of the argument 0.7 for its difference and 0.85 for its product; float16 keeps exponentials and their sum as float16',
};

const LOG_SOFTMAX: ComputedRow = {
  ulp: 14,
  perTerm: 0.25,
  magnitude: 1,
  narrowed: 3,
  reason:
    'x − largest − log(sum): 2⁻²¹ of log(sum), which is no larger than the result, 2⁻²¹ of 1 for the exponentials, ' +
    'half as much of 1 per term; float16 keeps exponentials, their sum and its logarithm as float16',
};

export const activationTolerances = {
  activationCelu: ONE_EXPONENTIAL,
  activationElu: ONE_EXPONENTIAL,
  activationGelu: {
    ulp: 6,
    reason: 'x/2 · (1 + erf(x/√2)): erf is wrong by 9 units of 1, which x/2 makes 4.5 of x; two products',
  },
  activationHardSigmoid: PRODUCT_AND_SUM,
  activationHardSwish: { ulp: 1.5, reason: 'two products and a sum, each rounded to the nearest' },
  activationHardmax: EXACT,
  activationHardmax1: EXACT,
  activationIdentity: EXACT,
  activationLeakyRelu: PRODUCT,
  activationLinear: PRODUCT_AND_SUM,
  activationLogSoftmax: LOG_SOFTMAX,
  activationLogSoftmax1: LOG_SOFTMAX,
  activationParameterizedRelu: PRODUCT,
  activationParametricSoftplus: SOFTPLUS,
  activationRelu: EXACT,
  activationReluGrad: EXACT,
  activationScaledElu: ONE_EXPONENTIAL,
  activationScaledTanh: {
    ulp: 16,
    reason: 'tanh is right to 7 units of 1, which are up to 14 of alpha; two products',
  },
  activationShrink: { ulp: 0, reason: 'one sum or difference, rounded to the nearest' },
  activationSigmoid: {
    ulp: 10,
    growth: perBinade(0.85),
    reason: '1 / (1 + e^−x): 2⁻²¹ for the exponential, 0.85 per binade of its argument; a sum and a division',
  },
  activationSoftmax: SOFTMAX,
  activationSoftmax1: SOFTMAX,
  activationSoftplus: SOFTPLUS,
  activationSoftsign: { ulp: 2, reason: 'a sum, rounded to the nearest, and a division of 1 ULP' },
  activationSwish: {
    ulp: 17,
    growth: perBinade(1.55),
    reason: 'x · sigmoid(scale · x): sigmoid, a product, and 0.7 per binade for rounding its argument; x is up to 4 binades',
  },
  activationTanh: {
    ulp: 7,
    reason: 'quotient of a difference and a sum of exponentials: at most 2⁻²¹ of both together, 3 for roundings',
  },
  activationThresholdedRelu: EXACT,
} satisfies Record<string, OperatorTolerance>;
