/**
 * Tolerances of the activations. Direct3D 11.3's functional specification promises of a float32 shader: exp2 and log2
 * off by 2⁻²¹ (4 to 8 ULP; log2 near 1 absolutely), quotients by 1 ULP. exp(x) is exp2 of a rounded product, which
 * adds up to |x| ULP. float16 is computed as float32 and may be cut off rather than rounded: 1 ULP.
 */
import type { OperatorDescriptor } from 'node-directml';
import { product } from './layout.js';

const EXACT = { ulp: 0 };
/** A product, and a sum where there is one. */
const ARITHMETIC = { ulp: 2 };
/** e^x − 1 for negative x: 2⁻²¹ of a number below 1, which is the case's magnitude; then products. */
const ONE_EXPONENTIAL = { ulp: 8 };
/** Relative to a small result: 8 of the exponential, 32 of its argument, 16 of a fused sum's rounding. */
const RELATIVE_EXPONENTIAL = { ulp: 64 };
/** Sums of exponentials divided, or the logarithm of one: 4 ULP of 1 each, and the arithmetic. */
const TWO_TRANSCENDENTALS = { ulp: 12 };

export const activationTolerances = {
  activationCelu: ONE_EXPONENTIAL,
  activationElu: ONE_EXPONENTIAL,
  activationGelu: { ulp: 4 }, // erf of float32, times the magnitude of x
  activationHardSigmoid: ARITHMETIC,
  activationHardSwish: { ulp: 4 }, // one product more
  activationHardmax: EXACT,
  activationHardmax1: EXACT,
  activationIdentity: EXACT,
  activationLeakyRelu: { ulp: 1 },
  activationLinear: ARITHMETIC,
  activationLogSoftmax: EXACT, // see softmaxTolerance
  activationLogSoftmax1: EXACT,
  activationParameterizedRelu: { ulp: 1 },
  activationParametricSoftplus: TWO_TRANSCENDENTALS,
  activationRelu: EXACT,
  activationReluGrad: EXACT,
  activationScaledElu: ONE_EXPONENTIAL,
  activationScaledTanh: TWO_TRANSCENDENTALS,
  activationShrink: ARITHMETIC,
  activationSigmoid: RELATIVE_EXPONENTIAL,
  activationSoftmax: EXACT,
  activationSoftmax1: EXACT,
  activationSoftplus: TWO_TRANSCENDENTALS,
  activationSoftsign: { ulp: 3 }, // a sum and a quotient
  activationSwish: RELATIVE_EXPONENTIAL,
  activationTanh: TWO_TRANSCENDENTALS,
  activationThresholdedRelu: EXACT,
};

/**
 * Softmax and its logarithm, whose sums' rounding errors grow with their length; the logarithm's are absolute and
 * small beside the case's magnitude. null for every other operator.
 */
export function softmaxTolerance(descriptor: OperatorDescriptor): { ulp: number } | null {
  switch (descriptor.type) {
    case 'activationSoftmax':
      return { ulp: 64 + (descriptor.inputTensor.sizes.at(-1) ?? 1) };
    case 'activationSoftmax1':
      return { ulp: 64 + rowLength(descriptor.inputTensor.sizes, descriptor.axes) };
    case 'activationLogSoftmax':
      return { ulp: 4 + (descriptor.inputTensor.sizes.at(-1) ?? 1) / 32 };
    case 'activationLogSoftmax1':
      return { ulp: 4 + rowLength(descriptor.inputTensor.sizes, descriptor.axes) / 32 };
    default:
      return null;
  }
}

function rowLength(sizes: readonly number[], axes: readonly number[]): number {
  return product(sizes.filter((_, axis) => axes.includes(axis)));
}
