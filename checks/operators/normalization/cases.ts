/** Cases and tolerances of the normalizations by mean and variance, by a local response, and by a norm. */
import type { FusedActivation, TensorDesc } from 'node-directml';
import type { Random } from '../../harness/random.js';
import type { ConformanceCase } from '../../cases/case.js';
import { fillTensors, randomSizes, randomTensor } from '../../cases/layout.js';
import {
  activationFor,
  anyElement,
  element,
  extremeElement,
  extremeEpsilon,
  finiteHalf,
  isExtreme,
  shapeOf,
  shortened,
  typeOf,
  withoutRepeats,
  type Shape,
} from '../normalization-parts.js';
import { LOCAL_RESPONSE, MEAN_VARIANCE, localResponseGradMagnitudes } from './bounds.js';
import { ofMagnitudes } from '../../tolerance/row.js';

export const tolerances = {
  meanVarianceNormalization: MEAN_VARIANCE,
  meanVarianceNormalization1: MEAN_VARIANCE,
  meanVarianceNormalization2: MEAN_VARIANCE,
  localResponseNormalization: LOCAL_RESPONSE,
  localResponseNormalizationGrad: {
    ulp: 18,
    perTerm: 2,
    magnitude: ofMagnitudes(
      '|gradient|·base^−beta + 2·alpha·beta/localSize·|x|·Σ|gradient·x|·base^−(beta+1), powers times 1 + binades, or 1 + what the base cancels',
    ),
    magnitudesOf: localResponseGradMagnitudes,
    narrowed: 3,
    reason:
      `${LOCAL_RESPONSE.reason}; products, their sum and a difference; with float16, the base, the products and their sum ` +
      'truncate to float16',
  },
  lpNormalization: {
    ulp: 11,
    perTerm: 1,
    narrowed: 2,
    reason:
      'a product and a sum per term; a square, a sum; 2⁻²¹ for a reciprocal square root, or 2 ULP for a square root and a ' +
      'quotient; with float16, the norm and its square truncate to float16',
  },
};

/** Large enough that, in a group of equal elements, the rounding error of the mean stays near 0 in the result. */
const EPSILONS = [0.001, 0.0625, 1];

export function meanVarianceNormalization(random: Random, index: number): ConformanceCase {
  const shape = { dataType: typeOf(index), sizes: randomSizes(random, 4, 200) };
  const { extremes, fields: shared } = common(random, shape);
  const fields = { crossChannel: index % 4 < 2, normalizeVariance: random.chance(0.8), ...shared };
  const { tensors, data } = normalized(random, shape, fields.fusedActivation !== null, extremes ? [1, 2, 3] : null);
  return { descriptor: { type: 'meanVarianceNormalization', ...tensors, ...fields }, data };
}

export function meanVarianceNormalization1(random: Random, index: number): ConformanceCase {
  const shape = shapeOf(random, index);
  const { extremes, fields: shared } = common(random, shape);
  const fields = { axes: someAxes(random, shape), normalizeVariance: random.chance(0.8), ...shared };
  const { tensors, data } = normalized(random, shape, fields.fusedActivation !== null, extremes ? fields.axes : null);
  return { descriptor: { type: 'meanVarianceNormalization1', ...tensors, ...fields }, data };
}

export function meanVarianceNormalization2(random: Random, index: number): ConformanceCase {
  const shape = shapeOf(random, index);
  const [useMean, useVariance] = [random.chance(0.6), random.chance(0.6)];
  const { extremes, fields: shared } = common(random, shape);
  const fields = { axes: someAxes(random, shape), useMean, useVariance, ...shared };
  const { tensors, data } = normalized(random, shape, fields.fusedActivation !== null, extremes ? fields.axes : null);
  return { descriptor: { type: 'meanVarianceNormalization2', ...tensors, ...fields }, data };
}

function common(random: Random, { dataType }: Shape) {
  const fusedActivation: FusedActivation | null = random.chance(0.5) ? activationFor(random, dataType) : null;
  const extremes = isExtreme(random, fusedActivation !== null);
  const epsilon = extremes && random.chance(0.5) ? extremeEpsilon(random) : random.pick(EPSILONS);
  return { extremes, fields: { epsilon, fusedActivation } };
}

/**
 * Input and output; a scale and a bias, which are optional and broadcast independently. `extremes` are the axes of the groups
 * in a case with extreme elements, else null.
 */
function normalized(random: Random, { dataType, sizes }: Shape, isFused: boolean, extremes: readonly number[] | null) {
  const factors = (): TensorDesc | null =>
    random.chance(0.6) ? randomTensor(random, dataType, shortened(random, sizes), 'input') : null;
  const inputTensor = withoutRepeats(randomTensor(random, dataType, sizes, 'input'), extremes ?? []);
  const [scaleTensor, biasTensor] = [factors(), factors()];
  const outputTensor = randomTensor(random, dataType, sizes, 'output');
  const offset = random.pick([0, 0, 3, -2]);
  const moderate = (isFused ? element : anyElement)(random, dataType, 4, offset);
  const factor = element(random, dataType, 2);
  return {
    tensors: { inputTensor, scaleTensor, biasTensor, outputTensor },
    data: fillTensors(random, {
      inputTensor: [inputTensor, extremes !== null ? extremeElement(random, dataType, 'element', moderate) : moderate],
      scaleTensor: [
        scaleTensor,
        extremes !== null ? finiteHalf(dataType, extremeElement(random, dataType, 'factor', factor)) : factor,
      ],
      biasTensor: [biasTensor, extremes !== null ? extremeElement(random, dataType, 'element', factor) : factor],
    }),
  };
}

export function localResponseNormalization(random: Random, index: number): ConformanceCase {
  const { dataType, sizes, extremes, fields } = local(random, index);
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const outputTensor = randomTensor(random, dataType, sizes, 'output');
  const moderate = anyElement(random, dataType, 4);
  const value = extremes ? extremeElement(random, dataType, 'element', moderate) : moderate;
  const data = fillTensors(random, { inputTensor: [inputTensor, value] });
  return { descriptor: { type: 'localResponseNormalization', inputTensor, outputTensor, ...fields }, data };
}

export function localResponseNormalizationGrad(random: Random, index: number): ConformanceCase {
  // DirectML may lose part of the sum of squares in windows of 10 × 10 and larger. With float16 it stores the base of the
  // power as float16, even if it exceeds 65504, so float16 has no extreme cases.
  const { dataType, sizes, extremes, fields } = local(random, index, 9, typeOf(index) === 'float32');
  // With 2·beta = 1 and a negligible bias, the two terms of the gradient can cancel. Then the last bits of powers decide the
  // sign, which becomes visible with an infinite gradient.
  const beta = extremes && fields.beta === 0.5 ? 0.75 : fields.beta;
  const moderate = element(random, dataType, 4);
  const value = () => (extremes ? extremeElement(random, dataType, 'term', moderate) : moderate);
  const inputTensor = withoutRepeats(randomTensor(random, dataType, sizes, 'input'), extremes ? [1, 2, 3] : []);
  const inputGradientTensor = randomTensor(random, dataType, sizes, 'input');
  const outputGradientTensor = randomTensor(random, dataType, sizes, 'output');
  return {
    descriptor: {
      type: 'localResponseNormalizationGrad',
      ...{ inputTensor, inputGradientTensor, outputGradientTensor },
      ...{ ...fields, beta },
    },
    data: fillTensors(random, {
      inputTensor: [inputTensor, value()],
      inputGradientTensor: [inputGradientTensor, value()],
    }),
  };
}

/**
 * Windows of even and odd sizes, smaller and larger than the tensor. Ordinary fields give bases of the power from 1 to a few
 * hundred; with extreme fields, bases are 0, infinite, NaN, negative or far from 1.
 */
function local(random: Random, index: number, largestPlane = 100, takesExtremes = true) {
  const crossChannel = index % 4 < 2;
  const dataType = typeOf(index);
  const extremes = isExtreme(random, !takesExtremes);
  const isFar = extremes && random.chance(0.5);
  return {
    dataType,
    sizes: randomSizes(random, 4, 200),
    extremes,
    fields: {
      crossChannel,
      localSize: random.chance(0.1) ? random.int(6, crossChannel ? 100 : largestPlane) : random.int(1, 5),
      alpha: isFar ? random.pick([0, 1e20, -1e30, Infinity, -Infinity, NaN]) : random.pick([0.0001, 0.5, 1, random.fraction()]),
      beta: isFar
        ? random.pick([0, 1, 2, -1, -0.5, Infinity, -Infinity, NaN])
        : random.pick([0.75, 0.5, 1, 2, random.fraction() * 2]),
      bias: isFar ? random.pick([0, 1, -1, 1e30, Infinity, NaN]) : random.pick([1, 2, 1 + random.fraction()]),
    },
  };
}

export function lpNormalization(random: Random, index: number): ConformanceCase {
  const { dataType, sizes } = shapeOf(random, index);
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const outputTensor = randomTensor(random, dataType, sizes, 'output');
  // With extremes, the square of the norm overflows or underflows float32. With float16, DirectML keeps it as float16.
  const extremes = isExtreme(random, false);
  const moderate = anyElement(random, dataType, 4);
  const value = extremes ? extremeElement(random, dataType, 'element', moderate) : moderate;
  return {
    descriptor: {
      type: 'lpNormalization',
      ...{ inputTensor, outputTensor },
      axis: random.int(0, sizes.length - 1),
      epsilon: extremes && random.chance(0.5) ? extremeEpsilon(random) : random.pick(EPSILONS),
      p: random.int(1, 2),
    },
    data: fillTensors(random, { inputTensor: [inputTensor, value] }),
  };
}

function someAxes(random: Random, { sizes }: Shape): number[] {
  return random.distinct(random.int(random.chance(0.1) ? 0 : 1, sizes.length), sizes.length);
}
