/**
 * Activations that are a function of one element. Other operators apply them to their results too. All are computed in float64.
 */
import type { FusedActivation } from '../descriptors/generated/descriptors.js';
import type { Resolved } from '../descriptors/resolved.js';
import { erfc } from './erf.js';
import { inFloat32Range, maxNumber, minNumber } from './numbers.js';

/** Takes the operator's float fields and returns the function of one element. */
type Activation = (...parameters: number[]) => (x: number) => number;

/** For x below this, e^x does not overflow float32. */
const MAX_EXPONENT = 88;

const identity: Activation = () => (x) => x;
const relu: Activation = () => (x) => maxNumber(x, 0);
const leakyRelu: Activation =
  (alpha = 0) =>
  (x) =>
    x < 0 ? x * alpha : x;
const linear: Activation =
  (alpha = 0, beta = 0) =>
  (x) =>
    inFloat32Range(x * alpha) + beta;
const elu: Activation =
  (alpha = 0) =>
  (x) =>
    x < 0 ? alpha * Math.expm1(x) : x;
const celu: Activation =
  (alpha = 0) =>
  (x) =>
    maxNumber(x, 0) + minNumber(alpha * Math.expm1(x / alpha), 0);
const scaledElu: Activation =
  (alpha = 0, gamma = 0) =>
  (x) =>
    gamma * (x < 0 ? inFloat32Range(alpha * Math.expm1(x)) : x);
const gelu: Activation = () => (x) => 0.5 * x * erfc(-x * Math.SQRT1_2);
const sigmoid: Activation = () => logistic;
const swish: Activation =
  (scale = 0) =>
  (x) =>
    x * logistic(exponentialArgument(scale, x, Math.LOG2E));
const hardSigmoid: Activation =
  (alpha = 0, beta = 0) =>
  (x) =>
    minNumber(maxNumber(Math.fround(alpha * x) + beta, 0), 1);
const hardSwish: Activation =
  (alpha = 0, beta = 0) =>
  (x) =>
    x * minNumber(maxNumber(Math.fround(alpha * x) + beta, 0), 1);
const tanh: Activation = () => Math.tanh;
const scaledTanh: Activation =
  (alpha = 0, beta = 0) =>
  (x) =>
    alpha * zeroIfLost(Math.tanh(exponentialArgument(beta, x, 2 * Math.LOG2E)), 2 ** -25);
const softsign: Activation = () => (x) => x / (1 + Math.abs(x));
/** Returns x itself if e^(steepness · x) would overflow float32, or if steepness · x is NaN. */
const softplus: Activation =
  (steepness = 0) =>
  (x) => {
    const scaled = Math.fround(steepness * x);
    return scaled < MAX_EXPONENT ? zeroIfLost(Math.log1p(Math.exp(scaled)), 2 ** -24) / steepness : x;
  };
const parametricSoftplus: Activation =
  (alpha = 0, beta = 0) =>
  (x) => {
    const scaled = Math.fround(beta * x);
    return scaled < MAX_EXPONENT ? alpha * zeroIfLost(Math.log1p(Math.exp(scaled)), 2 ** -24) : Math.fround(alpha * beta) * x;
  };
const shrink: Activation =
  (bias = 0, threshold = 0) =>
  (x) =>
    x > threshold ? x - bias : x < -threshold ? x + bias : 0;
const thresholdedRelu: Activation =
  (alpha = 0) =>
  (x) =>
    x <= alpha ? 0 : x;

export type ActivationType = FusedActivation['type'];

/** The fields that an activation has both as an operator of its own and in a field of another operator. */
type ActivationOf<Type extends ActivationType> = {
  readonly [Name in Type]: Omit<Resolved<Name>, 'inputTensor' | 'outputTensor'>;
}[Type];

const ACTIVATIONS: { readonly [Type in ActivationType]: (operator: ActivationOf<Type>) => (x: number) => number } = {
  activationCelu: ({ alpha }) => celu(alpha),
  activationElu: ({ alpha }) => elu(alpha),
  activationGelu: () => gelu(),
  activationHardSigmoid: ({ alpha, beta }) => hardSigmoid(alpha, beta),
  activationHardSwish: ({ alpha, beta }) => hardSwish(alpha, beta),
  activationIdentity: () => identity(),
  activationLeakyRelu: ({ alpha }) => leakyRelu(alpha),
  activationLinear: ({ alpha, beta }) => linear(alpha, beta),
  activationParametricSoftplus: ({ alpha, beta }) => parametricSoftplus(alpha, beta),
  activationRelu: () => relu(),
  activationScaledElu: ({ alpha, gamma }) => scaledElu(alpha, gamma),
  activationScaledTanh: ({ alpha, beta }) => scaledTanh(alpha, beta),
  activationShrink: ({ bias, threshold }) => shrink(bias, threshold),
  activationSigmoid: () => sigmoid(),
  activationSoftplus: ({ steepness }) => softplus(steepness),
  activationSoftsign: () => softsign(),
  activationSwish: ({ sigmoidInputScale }) => swish(sigmoidInputScale),
  activationTanh: () => tanh(),
  activationThresholdedRelu: ({ alpha }) => thresholdedRelu(alpha),
};

/** Changes the values in place. */
export function applyActivation(operator: ActivationOf<ActivationType>, values: Float64Array): void {
  const apply = functionOf(operator.type, operator);
  for (let i = 0; i < values.length; i++) values[i] = apply(values[i] ?? 0);
}

function functionOf<Type extends ActivationType>(type: Type, operator: ActivationOf<Type>): (x: number) => number {
  return ACTIVATIONS[type](operator);
}

/** 1 / (1 + e^-x); 0 if e^-x overflows float32. */
function logistic(x: number): number {
  return 1 / (1 + inFloat32Range(Math.exp(-x)));
}

/**
 * Replaces a value of magnitude up to `limit` by 0. There 1 plus an exponential rounds to 1 in float32, which shows if an infinite
 * factor follows.
 */
function zeroIfLost(value: number, limit: number): number {
  return Math.abs(value) <= limit ? 0 * value : value;
}

/**
 * scale · x, but infinite if x · factor overflows float32: DirectML first multiplies x by the factor that its exponential needs.
 */
function exponentialArgument(scale: number, x: number, factor: number): number {
  return scale * (Number.isFinite(Math.fround(x * factor)) ? x : x * Infinity);
}
