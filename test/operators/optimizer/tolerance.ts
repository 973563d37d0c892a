/** Tolerances of the Adam optimizer. */
import type { ConformanceCase, WholeDescriptor } from '../../conformance/case.js';
import { inputOf } from '../../conformance/tolerance/magnitudes.js';
import { binades, ofMagnitudes, type Variants } from '../../conformance/tolerance/row.js';

type Adam = WholeDescriptor<'adamOptimizer'>;

/** DirectML may compute a moment as m + (1 − beta) · (g − m), so its errors are measured in units of |m| + |g|. */
function moments(test: ConformanceCase) {
  const { descriptor } = test;
  if (descriptor.type !== 'adamOptimizer') throw new TypeError(`${descriptor.type} is another operator`);
  const tensor = descriptor.inputParametersTensor;
  const magnitudesIn = (name: Exclude<keyof Adam & `${string}Tensor`, `output${string}`>) =>
    inputOf(test, name, descriptor[name]).map(Math.abs);
  const gradient = magnitudesIn('gradientTensor');
  const square = gradient.map((g) => g * g);
  const before = magnitudesIn('inputSecondMomentTensor');
  return {
    descriptor,
    weights: inputOf(test, 'inputParametersTensor', tensor),
    first: magnitudesIn('inputFirstMomentTensor').map((m, i) => m + (gradient[i] ?? 0)),
    second: before.map((v, i) => v + (square[i] ?? 0)),
    newSecond: before.map((v, i) => descriptor.beta2 * v + (1 - descriptor.beta2) * (square[i] ?? 0)),
  };
}

/** |weight| + |rate · alpha| · |m| / (√v + epsilon), where alpha and v are weighted with how much cancels in them. */
function weightMagnitudes(test: ConformanceCase): Float64Array {
  const { descriptor, weights, first, second, newSecond } = moments(test);
  const { trainingStepTensor, learningRate, beta1, beta2, epsilon } = descriptor;
  const [step = 0] = inputOf(test, 'trainingStepTensor', trainingStepTensor);
  const alpha = step === 0 ? 1 : Math.sqrt(1 - beta2 ** step) / (1 - beta1 ** step);
  const ofAlpha = step === 0 ? 1 : 1 + cancelled(beta1, step) + cancelled(beta2, step) / 2;
  const factor = Math.abs(learningRate) * alpha * ofAlpha;
  return weights.map((weight, i) => {
    const v = newSecond[i] ?? 0;
    const ofSquares = v === 0 ? 1 : (second[i] ?? 0) / v;
    return Math.abs(weight) + (factor * (first[i] ?? 0) * ofSquares) / (Math.sqrt(v) + epsilon);
  });
}

/**
 * The relative error of 1 − beta^step in units of 2⁻²¹. The logarithm of a beta of at least 0.5 has an absolute error of 2⁻²¹.
 * `step` times that is the exponent's error, and 0.7 times the exponent's error is the power's relative error.
 */
function cancelled(beta: number, step: number): number {
  const power = beta ** step;
  if (power === 0) return 0;
  return (power * (1 + 0.7 * step * Math.max(1, binades(beta)))) / (1 - power);
}

const adamOptimizer: Variants = {
  pick: (_descriptor, output) => output,
  rows: {
    outputParametersTensor: {
      ulp: 16,
      magnitude: ofMagnitudes('|weight| + |rate·alpha|·(|m| + |gradient|)/(√v + epsilon), times what 1 − beta^step and v cancel'),
      magnitudesOf: weightMagnitudes,
      narrowed: 3,
      reason:
        '2⁻²¹ for powers of beta, which is a larger relative error of 1 − beta^step; two square roots and two quotients of 1 ' +
        'ULP each; products and sums; with float16, the moments and a root truncate to float16',
    },
    outputFirstMomentTensor: {
      ulp: 2,
      magnitude: ofMagnitudes('|m| + |gradient|'),
      magnitudesOf: (test) => moments(test).first,
      reason: 'a sum, after a difference and a product, or after two products; the factor 1 − beta is rounded',
    },
    outputSecondMomentTensor: {
      ulp: 2.5,
      magnitude: ofMagnitudes('|v| + gradient²'),
      magnitudesOf: (test) => moments(test).second,
      reason: 'a square; a sum, after a difference and a product, or after two products; the factor 1 − beta is rounded',
    },
  },
};

export const tolerances = { adamOptimizer };
