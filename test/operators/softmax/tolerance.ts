/** Tolerances of softmax, log-softmax and hardmax. */
import { EXACT, perBinade, type ComputedRow, type OperatorTolerance } from '../../conformance/tolerance/row.js';

const SOFTMAX: ComputedRow = {
  ulp: 18,
  perTerm: 1,
  growth: perBinade(1.55),
  narrowed: 2,
  reason:
    'a quotient of exponentials: 2⁻²¹ for its own exponential and 2⁻²¹ for those in the sum, which rounds by 2⁻²⁴ per term; ' +
    'per binade of the argument, 0.7 ULP for its difference and 0.85 ULP for its product; with float16, exponentials and ' +
    'their sum truncate to float16',
};

const LOG_SOFTMAX: ComputedRow = {
  ulp: 14,
  perTerm: 0.5,
  magnitude: 1,
  narrowed: 3,
  reason:
    'x − largest − log(sum): 2⁻²¹ of log(sum), which is no larger than the result; 2⁻²¹ of 1 for the exponentials; 2⁻²⁴ of 1 ' +
    'for each term; with float16, the exponentials, their sum and its logarithm truncate to float16',
};

export const tolerances = {
  activationHardmax: EXACT,
  activationHardmax1: EXACT,
  activationLogSoftmax: LOG_SOFTMAX,
  activationLogSoftmax1: LOG_SOFTMAX,
  activationSoftmax: SOFTMAX,
  activationSoftmax1: SOFTMAX,
} satisfies Record<string, OperatorTolerance>;
