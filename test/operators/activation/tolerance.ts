/** Tolerances of the activations as operators. x is the element of the input; alpha, beta and so on are the operator's fields. */
import type { FusedActivation } from 'node-directml';
import {
  COMPARED,
  EXACT,
  binades,
  perBinade,
  type ComputedRow,
  type Dependent,
  type Element,
  type OperatorTolerance,
  type ToleranceRow,
} from '../../conformance/tolerance/row.js';

const PRODUCT: ComputedRow = { ulp: 0, reason: 'one product, rounded to nearest even' };

/** The magnitude of x. */
const X: Dependent = { text: '|x|', at: ({ x: [x = 0] }) => Math.abs(x) };

function ofField(name: string): Dependent {
  return { text: `|${name}|`, at: ({ field }) => Math.abs(field(name)) };
}

function linearTerms({ x: [x = 0], field }: Element, scale: string, bias: string): number {
  return Math.abs(field(scale) * x) + Math.abs(field(bias));
}

export function linear(scale: string, bias: string): ComputedRow {
  return {
    ulp: 1,
    magnitude: { text: `|${scale}·x| + |${bias}|`, at: (element) => linearTerms(element, scale, bias) },
    reason: 'a product and a sum, each rounded to nearest even',
  };
}

function oneExponential(magnitude: Dependent): ComputedRow {
  return {
    ulp: 10,
    magnitude,
    reason: 'alpha · (e^x − 1) for negative x: the exponential has an error of 2⁻²¹ · alpha; a difference and a product round',
  };
}

function softplus(magnitude: Dependent): ComputedRow {
  return {
    ulp: 19,
    magnitude,
    reason: 'log(1 + e^x): 2⁻²¹ for the exponential; 2⁻²¹ for the logarithm, as an absolute error if it is below 1; 3 roundings',
  };
}

/** The activations that other operators take in their field `fusedActivation`. */
export const fusableTolerances = {
  activationCelu: {
    ...oneExponential(ofField('alpha')),
    growth: {
      text: '1.55·max(log2 |y/alpha|, 0) ULP',
      at: ({ y, field }) => {
        const alpha = Math.abs(field('alpha'));
        return alpha > 0 && Math.abs(y) > alpha ? 1.55 * binades(y / alpha) : 0;
      },
    },
    reason:
      'alpha · (e^(x/alpha) − 1): the exponential has an error of 2⁻²¹ · alpha; a difference and a product round; a negative ' +
      'alpha gives large exponentials, whose argument adds 0.7 ULP per binade for a quotient and 0.85 ULP for a product',
  },
  activationElu: oneExponential(ofField('alpha')),
  activationGelu: {
    ulp: 10,
    magnitude: X,
    reason: 'x/2 · (1 + erf(x/√2)): erf has an error of 9 ULP of 1, which x/2 turns into up to 9 ULP of x; two products round',
  },
  activationHardSigmoid: linear('alpha', 'beta'),
  activationHardSwish: {
    ulp: 2.5,
    magnitude: {
      text: '|x| · (|alpha·x| + |beta|)',
      at: (element) => X.at(element) * linearTerms(element, 'alpha', 'beta'),
    },
    reason: 'a product and a sum; the last product turns their errors into at most 2 ULP, and rounds too',
  },
  activationIdentity: EXACT,
  activationLeakyRelu: PRODUCT,
  activationLinear: linear('alpha', 'beta'),
  activationParametricSoftplus: softplus(ofField('alpha')),
  activationRelu: COMPARED,
  activationScaledElu: oneExponential({
    text: '|alpha·gamma|',
    at: ({ field }) => Math.abs(field('alpha') * field('gamma')),
  }),
  activationScaledTanh: {
    ulp: 16,
    magnitude: ofField('alpha'),
    reason: 'tanh has an error of 7 ULP of 1, which is up to 14 ULP of alpha; two products round',
  },
  activationShrink: { ulp: 0, magnitude: X, reason: 'one sum or difference, rounded to nearest even' },
  activationSigmoid: {
    ulp: 10,
    growth: perBinade(0.85),
    reason: '1 / (1 + e^−x): 2⁻²¹ for the exponential, and 0.85 ULP per binade of its argument; a sum and a division',
  },
  activationSoftplus: softplus({ text: '|1/steepness|', at: ({ field }) => Math.abs(1 / field('steepness')) }),
  activationSoftsign: { ulp: 2, reason: 'a sum, rounded to nearest even, and a division with an error of 1 ULP' },
  activationSwish: {
    ulp: 11,
    growth: {
      text: '2.24·max(−scale·x, 0) ULP',
      at: ({ x: [x = 0], field }) => 2.24 * Math.max(-field('sigmoidInputScale') * x, 0),
    },
    reason: 'x · sigmoid(scale · x): sigmoid and a product; rounding its argument adds 0.7 ULP per binade',
  },
  activationTanh: {
    ulp: 7,
    magnitude: 1,
    reason: 'a difference of exponentials divided by their sum: at most 2⁻²¹ for both together, 3 ULP for roundings',
  },
  activationThresholdedRelu: COMPARED,
} satisfies Record<FusedActivation['type'], ToleranceRow>;

export const tolerances = {
  ...fusableTolerances,
  activationParameterizedRelu: PRODUCT,
  activationReluGrad: COMPARED,
} satisfies Record<string, OperatorTolerance>;
