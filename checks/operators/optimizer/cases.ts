/** Cases and tolerances of the Adam optimizer. */
import type { Random } from '../../harness/random.js';
import type { ConformanceCase, WholeDescriptor } from '../../cases/case.js';
import { numberOf } from '../../cases/element-values.js';
import { fillTensors, ones, randomTensor } from '../../cases/layout.js';
import { element, shapeOf } from '../normalization-parts.js';
import { inputOf } from '../../tolerance/magnitudes.js';
import { binades, ofMagnitudes, type OperatorTolerance } from '../../tolerance/row.js';

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

/** |weight| + |rate · alpha| · |m| / (√v + epsilon), where alpha and v are multiplied by the cancellation in them. */
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

export const tolerances = {
  adamOptimizer: {
    pick: (_descriptor, output) => output,
    rows: {
      outputParametersTensor: {
        ulp: 16,
        magnitude: ofMagnitudes(
          '|weight| + |rate·alpha|·(|m| + |gradient|)/(√v + epsilon), times what 1 − beta^step and v cancel',
        ),
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
  },
} satisfies Record<string, OperatorTolerance>;

/**
 * Unrealistic decay rates, for float32 only: with float16 they leave too few significant digits. None is nearer to 1: with
 * 1 − 2⁻²⁴, the last bit of the power decides whether 1 − beta^step is 2⁻²⁴ or 2⁻²³.
 */
const BETAS: readonly number[] = [-0.5, 1 - 2 ** -16, 1e-30, NaN, Infinity, -Infinity];
const FAR: readonly number[] = [-0, 1e-40, Infinity, -Infinity, NaN, 3e38, -3e38, 1e25, -1e-25];

/** Early and late training steps, usual and unusual decay rates. Some cases have elements whose squares leave float32. */
export function adamOptimizer(random: Random, index: number): ConformanceCase {
  const { dataType, sizes } = shapeOf(random, index);
  const weights = (role: 'input' | 'output') => randomTensor(random, dataType, sizes, role);
  const [inputParametersTensor, inputFirstMomentTensor, inputSecondMomentTensor, gradientTensor] = [
    weights('input'),
    weights('input'),
    weights('input'),
    weights('input'),
  ];
  const trainingStepTensor = randomTensor(random, 'uint32', ones(random.int(1, 8)), 'input');
  const [outputParametersTensor, outputFirstMomentTensor, outputSecondMomentTensor] = [
    weights('output'),
    weights('output'),
    weights('output'),
  ];
  const far = random.chance(0.3) ? 0.1 : 0;
  const orFar = (value: () => number) => () => (random.chance(far) ? numberOf(dataType, random.pick(FAR)) : value());
  const rate = () => (dataType === 'float16' ? random.fraction() : random.pick(BETAS));
  return {
    descriptor: {
      type: 'adamOptimizer',
      ...{ inputParametersTensor, inputFirstMomentTensor, inputSecondMomentTensor, gradientTensor, trainingStepTensor },
      ...{ outputParametersTensor, outputFirstMomentTensor, outputSecondMomentTensor },
      learningRate: random.pick([0.001, 0.1, 1, -0.5, 0, 1e30, Infinity]),
      beta1: random.pick([0.9, 0.5, 0, 1, random.fraction(), rate()]),
      beta2: random.pick([0.999, 0.75, 0, 1, random.fraction(), rate()]),
      // A small second moment has few significant digits in float16, so its epsilon is large.
      epsilon: dataType === 'float16' ? 0.25 : random.pick([0.001, 0.25, 0, 1e-30, Infinity]),
    },
    data: fillTensors(random, {
      inputParametersTensor: [inputParametersTensor, orFar(element(random, dataType, 4))],
      inputFirstMomentTensor: [inputFirstMomentTensor, orFar(element(random, dataType, 1))],
      inputSecondMomentTensor: [
        inputSecondMomentTensor,
        orFar(() => numberOf(dataType, random.chance(0.1) ? 0 : random.fraction())),
      ],
      gradientTensor: [gradientTensor, orFar(element(random, dataType, 1))],
      trainingStepTensor: [trainingStepTensor, () => random.pick([0, 1, 2, 3, random.int(4, 100), 2 ** 32 - 1])],
    }),
  };
}
