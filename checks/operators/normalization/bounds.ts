/**
 * The errors of the normalizations by mean and variance, by a local response, and by a norm. A mean of n terms has an error of
 * n roundings of the mean of their magnitudes. Each difference from the mean inherits this error. The variance, a sum of
 * squares of such differences, and its root have a relative error.
 */
import type { ConformanceCase } from '../../cases/case.js';
import { product } from '../../cases/layout.js';
import { fusable } from '../fused.js';
import { inputOf, placesIn, repeated, statisticsOf } from '../../tolerance/magnitudes.js';
import { binades, ofMagnitudes, type ComputedRow, type Dependent } from '../../tolerance/row.js';
import { meanVarianceAxes } from '../../tolerance/terms.js';

/** |scale| · (|x| + mean |x|) / √(variance + epsilon) + |bias| */
function meanVarianceMagnitudes(test: ConformanceCase): Float64Array {
  const { descriptor } = test;
  if (
    descriptor.type !== 'meanVarianceNormalization' &&
    descriptor.type !== 'meanVarianceNormalization1' &&
    descriptor.type !== 'meanVarianceNormalization2'
  ) {
    throw new TypeError(`${descriptor.type} takes no mean and variance`);
  }
  const { inputTensor, scaleTensor, biasTensor, epsilon } = descriptor;
  const { sizes } = inputTensor;
  const { useMean, useVariance } =
    descriptor.type === 'meanVarianceNormalization2' ? descriptor : { useMean: true, useVariance: descriptor.normalizeVariance };
  const axes = meanVarianceAxes(descriptor);
  const groups = sizes.map((size, axis) => (axes.has(axis) ? 1 : size));
  const places = placesIn(sizes, groups);
  const values = inputOf(test, 'inputTensor', inputTensor);
  const { meanMagnitude, variance } = statisticsOf(values, places, product(groups), useMean);
  const scale = repeated(test, 'scaleTensor', scaleTensor, sizes, 1);
  const bias = repeated(test, 'biasTensor', biasTensor, sizes);
  return values.map((x, i) => {
    const group = places[i] ?? 0;
    const deviation = useVariance ? Math.sqrt((variance[group] ?? 0) + epsilon) : 1;
    const difference = Math.abs(x) + (meanMagnitude[group] ?? 0);
    return (Math.abs(scale[i] ?? 0) * difference) / deviation + Math.abs(bias[i] ?? 0);
  });
}

export const MEAN_VARIANCE = fusable({
  ulp: 14,
  perTerm: 1,
  magnitude: ofMagnitudes('|scale|·(|x| + mean |x|)/√(variance + epsilon) + |bias|'),
  magnitudesOf: meanVarianceMagnitudes,
  narrowed: 3,
  reason:
    'mean and variance: 0.5 ULP per term each; 2⁻²¹ for a reciprocal square root, or 2 ULP for a square root and a quotient; ' +
    'differences, squares, products and sums; with float16, the mean, the variance (computed from that mean) and the root ' +
    'truncate to float16',
});

/**
 * The error of a power base^−beta. The base's logarithm is |log2 (x/y)| / beta; its error is multiplied by beta, and 0.7 of that
 * is the error of the power in ULP. A result of 0 tells nothing about the base: the input was flushed.
 */
const POWER: Dependent = {
  text: '6.3·max(|beta|, |log2 (x/y)|) ULP',
  at: ({ x: [x = 0], y, field }) => 6.3 * Math.max(Math.abs(field('beta')), x === 0 || y === 0 ? 0 : binades(x / y)),
};

export const LOCAL_RESPONSE: ComputedRow = {
  ulp: 18,
  perTerm: 2,
  growth: POWER,
  reason:
    'a power with |beta| of up to 2: 2⁻²¹ for the exponential and as much for the logarithm, as an absolute error from 0.5 to ' +
    '2; its base is a sum of squares with an error of at most 1 ULP per term; a quotient',
};

/** The result of the gradient for the magnitudes of all terms, each multiplied by the error of its power. */
export function localResponseGradMagnitudes(test: ConformanceCase): Float64Array {
  const { descriptor } = test;
  if (descriptor.type !== 'localResponseNormalizationGrad') throw new TypeError(`${descriptor.type} is no gradient`);
  const { inputTensor, inputGradientTensor, alpha, beta, bias, localSize, crossChannel } = descriptor;
  const values = inputOf(test, 'inputTensor', inputTensor).map(Math.abs);
  const gradients = inputOf(test, 'inputGradientTensor', inputGradientTensor).map(Math.abs);
  const around = neighbours(inputTensor.sizes, localSize, crossChannel);
  const sumAround = (terms: Float64Array) => values.map((_, i) => (around[i] ?? []).reduce((sum, j) => sum + (terms[j] ?? 0), 0));
  const factor = Math.abs(alpha) / localSize;
  const squares = sumAround(values.map((x) => x * x));
  const inverse = (exponent: number) =>
    squares.map((sum) => {
      const base = Math.abs(bias + Math.sign(alpha) * factor * sum);
      const cancelled = (Math.abs(bias) + factor * sum) / base;
      return weight(base, exponent, cancelled) * base ** -exponent;
    });
  const [direct, squared] = [inverse(beta), inverse(beta + 1)];
  const shares = sumAround(values.map((x, i) => x * (gradients[i] ?? 0) * (squared[i] ?? 0)));
  return values.map((x, i) => (gradients[i] ?? 0) * (direct[i] ?? 0) + 2 * factor * Math.abs(beta) * x * (shares[i] ?? 0));
}

/** The weight of a power's error: the exponent times the relative error of the base (whose terms may cancel) or its logarithm. */
function weight(base: number, exponent: number, cancelled: number): number {
  return 1 + Math.abs(exponent) * Math.max(cancelled, binades(base));
}

/** For each element, the indices of the elements in its window. */
function neighbours(sizes: readonly number[], localSize: number, crossChannel: boolean): number[][] {
  const before = Math.floor((localSize - 1) / 2);
  const [, channels = 1, height = 1, width = 1] = sizes;
  const around = (at: number, size: number, isSummed: boolean): number[] =>
    isSummed ? Array.from({ length: size }, (_, i) => i).filter((i) => i >= at - before && i < at - before + localSize) : [at];
  return Array.from({ length: product(sizes) }, (_, element) => {
    const x = element % width;
    const y = Math.floor(element / width) % height;
    const channel = Math.floor(element / width / height) % channels;
    const image = Math.floor(element / width / height / channels) * channels;
    return around(channel, channels, crossChannel).flatMap((c) =>
      around(y, height, !crossChannel).flatMap((row) =>
        around(x, width, !crossChannel).map((column) => ((image + c) * height + row) * width + column),
      ),
    );
  });
}
