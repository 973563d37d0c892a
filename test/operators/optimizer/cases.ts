/** Cases of the Adam optimizer. */
import type { Random } from '../../random.js';
import type { ConformanceCase } from '../../conformance/case.js';
import { numberOf } from '../../conformance/element-values.js';
import { fillTensors, ones, randomTensor } from '../../conformance/layout.js';
import { element, shapeOf } from '../../conformance/normalization-parts.js';

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
