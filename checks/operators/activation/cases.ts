/** Cases and tolerances of the element-wise activations, and random activations to fuse into other operators. */
import type { FusedActivation } from 'node-directml';
import { isFloat, isUnsigned, rangeOf } from '#lib/tensors/data-types.js';
import type { Random } from '../../harness/random.js';
import { base64, type ConformanceCase, type DataType, type WholeActivation } from '../../cases/case.js';
import { numberOf } from '../../cases/element-values.js';
import { fillTensor, randomTensor, shapeInTurn } from '../../cases/layout.js';
import { arithmeticValue } from '../../cases/values.js';
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
} from '../../tolerance/row.js';

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

/** In these, x is the element of the input; alpha, beta and so on are the operator's fields. */
export const tolerances = {
  ...fusableTolerances,
  activationParameterizedRelu: PRODUCT,
  activationReluGrad: COMPARED,
} satisfies Record<string, OperatorTolerance>;

const FLOATS: readonly DataType[] = ['float32', 'float16'];
const SIGNED: readonly DataType[] = ['float32', 'float16', 'int32', 'int16', 'int8'];
const ALL: readonly DataType[] = [...SIGNED, 'uint32', 'uint16', 'uint8'];

type Sampler = (random: Random) => WholeActivation;

const samplers = {
  activationCelu: (random) => ({ type: 'activationCelu', alpha: between(random, 0.25, 2) }),
  activationElu: (random) => ({ type: 'activationElu', alpha: between(random, -2, 2) }),
  activationGelu: () => ({ type: 'activationGelu' }),
  activationHardSigmoid: (random) => ({ type: 'activationHardSigmoid', ...alphaAndBeta(random, 1) }),
  activationHardSwish: (random) => ({ type: 'activationHardSwish', ...alphaAndBeta(random, 1) }),
  activationIdentity: () => ({ type: 'activationIdentity' }),
  activationLeakyRelu: (random) => ({ type: 'activationLeakyRelu', alpha: between(random, 0, 2) }),
  activationLinear: (random) => ({ type: 'activationLinear', ...alphaAndBeta(random, 2) }),
  activationParametricSoftplus: (random) => ({ type: 'activationParametricSoftplus', ...alphaAndBeta(random, 2) }),
  activationRelu: () => ({ type: 'activationRelu' }),
  activationScaledElu: (random) => ({
    type: 'activationScaledElu',
    alpha: between(random, -2, 2),
    gamma: between(random, -2, 2),
  }),
  activationScaledTanh: (random) => ({ type: 'activationScaledTanh', ...alphaAndBeta(random, 2) }),
  // With integers, multiples of 0.5 give ties in rounding.
  activationShrink: (random) => ({
    type: 'activationShrink',
    bias: random.chance(0.5) ? between(random, -2, 2) : random.int(-4, 4) / 2,
    threshold: between(random, -1, 2),
  }),
  activationSigmoid: () => ({ type: 'activationSigmoid' }),
  activationSoftplus: (random) => ({ type: 'activationSoftplus', steepness: between(random, 1, 4) }),
  activationSoftsign: () => ({ type: 'activationSoftsign' }),
  activationSwish: (random) => ({ type: 'activationSwish', sigmoidInputScale: between(random, -2, 2) }),
  activationTanh: () => ({ type: 'activationTanh' }),
  activationThresholdedRelu: (random) => ({ type: 'activationThresholdedRelu', alpha: between(random, -2, 2) }),
} satisfies Record<FusedActivation['type'], Sampler>;

const fusable: readonly Sampler[] = Object.values(samplers);

/** Any activation that can be fused into another operator. */
export function fusedActivation(random: Random): WholeActivation {
  return random.pick(fusable)(random);
}

/** An activation without a step: at a step, an input error of 1 ULP becomes a large output error. */
export function continuousActivation(random: Random): WholeActivation {
  for (;;) {
    const activation = fusedActivation(random);
    if (activation.type !== 'activationThresholdedRelu' && activation.type !== 'activationShrink') return activation;
  }
}

const alone =
  (sampler: Sampler, dataTypes = FLOATS) =>
  (random: Random, index: number): ConformanceCase => {
    const { dataType, sizes } = shapeInTurn(random, index, dataTypes);
    const inputTensor = randomTensor(random, dataType, sizes, 'input');
    const outputTensor = randomTensor(random, dataType, sizes, 'output');
    return {
      descriptor: { ...extreme(random, sampler(random), dataType), inputTensor, outputTensor },
      data: { inputTensor: base64(fillTensor(random, inputTensor, () => valueOf(random, dataType))) },
    };
  };

/** Field values that overflow, underflow or, like NaN, compare as false. */
const EXTREMES: readonly number[] = [0, -0, 1, -1, Infinity, -Infinity, NaN, 3e38, -3e38, 1e-30];

/**
 * True if the last bits of an exponential decide the result; Direct3D does not specify these bits. This is so if tanh or
 * e^x − 1, near 0, is multiplied by a factor so large that 2⁻²¹ of it overflows the data type. An infinite alpha is harmless
 * for e^x − 1, which it always makes infinite, but not for tanh, which may be exactly 0.
 */
function isOpen(fields: WholeActivation, dataType: DataType): boolean {
  const beyond = (factor: number): boolean => Math.abs(factor) * 2 ** -21 > (dataType === 'float16' ? 65504 : 3.4e38);
  switch (fields.type) {
    case 'activationScaledTanh':
      return beyond(fields.alpha);
    case 'activationScaledElu':
      return Math.abs(fields.gamma) === Infinity || (Number.isFinite(fields.alpha) && beyond(fields.alpha * fields.gamma));
    case 'activationElu':
    case 'activationCelu':
      return Number.isFinite(fields.alpha) && beyond(fields.alpha);
    default:
      return false;
  }
}

function extreme(random: Random, activation: WholeActivation, dataType: DataType): WholeActivation {
  if (!random.chance(0.2)) return activation;
  for (;;) {
    const fields = { ...activation };
    for (const [name, value] of Object.entries(fields)) {
      if (typeof value === 'number' && random.chance(0.6)) Reflect.set(fields, name, random.pick(EXTREMES));
    }
    if (!isOpen(fields, dataType)) return fields;
  }
}

function activationParameterizedRelu(random: Random, index: number): ConformanceCase {
  const { dataType, sizes } = shapeInTurn(random, index, SIGNED);
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const slopeTensor = randomTensor(random, dataType, sizes, 'input');
  const outputTensor = randomTensor(random, dataType, sizes, 'output');
  return {
    descriptor: { type: 'activationParameterizedRelu', inputTensor, slopeTensor, outputTensor },
    data: {
      inputTensor: base64(fillTensor(random, inputTensor, () => valueOf(random, dataType))),
      slopeTensor: base64(fillTensor(random, slopeTensor, () => valueOf(random, dataType))),
    },
  };
}

function activationReluGrad(random: Random, index: number): ConformanceCase {
  const { dataType, sizes } = shapeInTurn(random, index, SIGNED);
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const inputGradientTensor = randomTensor(random, dataType, sizes, 'input');
  const outputGradientTensor = randomTensor(random, dataType, sizes, 'output');
  return {
    descriptor: { type: 'activationReluGrad', inputTensor, inputGradientTensor, outputGradientTensor },
    data: {
      inputTensor: base64(fillTensor(random, inputTensor, () => valueOf(random, dataType))),
      inputGradientTensor: base64(fillTensor(random, inputGradientTensor, () => valueOf(random, dataType))),
    },
  };
}

/** Inputs for which exponentials or squares overflow, underflow or lose all digits. */
const FAR = [30, -30, 1e4, -1e4, 65504, -65504, 1e19, -1e19, 3e38, -3e38, 1e-20, -1e-20, 2 ** -24];

/** Mostly a small value. Sometimes a value of {@link FAR}, or an integer type's smallest or largest. */
function valueOf(random: Random, dataType: DataType): number {
  if (isFloat(dataType)) {
    return random.chance(0.04) ? numberOf(dataType, random.pick(FAR)) : arithmeticValue(random, dataType);
  }
  if (random.chance(0.9)) return arithmeticValue(random, dataType);
  const { low, high } = rangeOf(dataType);
  return isUnsigned(dataType) ? high : random.pick([low, high]);
}

function alphaAndBeta(random: Random, limit: number): { alpha: number; beta: number } {
  return { alpha: between(random, -limit, limit), beta: between(random, -limit, limit) };
}

function between(random: Random, low: number, high: number): number {
  return low + random.fraction() * (high - low);
}

export const activationCases = {
  activationCelu: alone(samplers.activationCelu),
  activationElu: alone(samplers.activationElu),
  activationGelu: alone(samplers.activationGelu),
  activationHardSigmoid: alone(samplers.activationHardSigmoid),
  activationHardSwish: alone(samplers.activationHardSwish),
  activationIdentity: alone(samplers.activationIdentity),
  activationLeakyRelu: alone(samplers.activationLeakyRelu),
  activationLinear: alone(samplers.activationLinear),
  activationParameterizedRelu,
  activationParametricSoftplus: alone(samplers.activationParametricSoftplus),
  activationRelu: alone(samplers.activationRelu, SIGNED),
  activationReluGrad,
  activationScaledElu: alone(samplers.activationScaledElu),
  activationScaledTanh: alone(samplers.activationScaledTanh),
  activationShrink: alone(samplers.activationShrink, ALL),
  activationSigmoid: alone(samplers.activationSigmoid),
  activationSoftplus: alone(samplers.activationSoftplus),
  activationSoftsign: alone(samplers.activationSoftsign),
  activationSwish: alone(samplers.activationSwish),
  activationTanh: alone(samplers.activationTanh),
  activationThresholdedRelu: alone(samplers.activationThresholdedRelu),
};
