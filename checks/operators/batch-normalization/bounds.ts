/**
 * The errors of batch normalization and its gradients. DirectML may compute `scale · (x − mean) / √(variance + epsilon) + bias`
 * as written, or with the product multiplied out. So errors are measured in units of |x| + |mean|.
 */
import type { ConformanceCase, WholeDescriptor } from '../../cases/case.js';
import { product } from '../../cases/layout.js';
import { fusable } from '../fused.js';
import { inputOf, placesIn, repeated, statisticsOf, sumsBy } from '../../tolerance/magnitudes.js';
import { OF_MAGNITUDES, ofMagnitudes, type ComputedRow, type Variants } from '../../tolerance/row.js';

export const ROOT = '2⁻²¹ for a reciprocal square root, or 2 ULP for a square root and a quotient';

/** |scale| · (|x| + |mean|) / √(variance + epsilon) + |bias| */
export function normalMagnitudes(test: ConformanceCase): Float64Array {
  const { descriptor } = test;
  if (descriptor.type !== 'batchNormalization') throw new TypeError(`${descriptor.type} is another operator`);
  const { inputTensor, meanTensor, varianceTensor, scaleTensor, biasTensor, epsilon } = descriptor;
  const { sizes } = inputTensor;
  const mean = repeated(test, 'meanTensor', meanTensor, sizes);
  const variance = repeated(test, 'varianceTensor', varianceTensor, sizes);
  const scale = repeated(test, 'scaleTensor', scaleTensor, sizes);
  const bias = repeated(test, 'biasTensor', biasTensor, sizes);
  return inputOf(test, 'inputTensor', inputTensor).map((x, i) => {
    const normal = (Math.abs(x) + Math.abs(mean[i] ?? 0)) / Math.sqrt((variance[i] ?? 0) + epsilon);
    return Math.abs(scale[i] ?? 0) * normal + Math.abs(bias[i] ?? 0);
  });
}

type Training = WholeDescriptor<'batchNormalizationTraining'>;

function training({ descriptor }: ConformanceCase): Training {
  if (descriptor.type !== 'batchNormalizationTraining') throw new TypeError(`${descriptor.type} is another operator`);
  return descriptor;
}

function trainingStatistics(test: ConformanceCase) {
  const { inputTensor, scaleTensor } = training(test);
  const places = placesIn(inputTensor.sizes, scaleTensor.sizes);
  const values = inputOf(test, 'inputTensor', inputTensor);
  return { places, values, ...statisticsOf(values, places, product(scaleTensor.sizes)) };
}

/** |scale| · (|x| + mean |x|) / √(variance + epsilon) + |bias| + |added| */
function trainingMagnitudes(test: ConformanceCase): Float64Array {
  const { inputTensor, scaleTensor, biasTensor, fusedAddTensor, epsilon } = training(test);
  const { places, values, variance, meanMagnitude } = trainingStatistics(test);
  const scale = inputOf(test, 'scaleTensor', scaleTensor);
  const bias = inputOf(test, 'biasTensor', biasTensor);
  const added = repeated(test, 'fusedAddTensor', fusedAddTensor, inputTensor.sizes);
  return values.map((x, i) => {
    const group = places[i] ?? 0;
    const normal = (Math.abs(x) + (meanMagnitude[group] ?? 0)) / Math.sqrt((variance[group] ?? 0) + epsilon);
    return Math.abs(scale[group] ?? 0) * normal + Math.abs(bias[group] ?? 0) + Math.abs(added[i] ?? 0);
  });
}

/** The variance plus the square of the mean's error; that square is divided by the rounding unit. */
function varianceMagnitudes(test: ConformanceCase): Float64Array {
  const { inputTensor } = training(test);
  const { values, variance, meanMagnitude } = trainingStatistics(test);
  const isHalf = inputTensor.dataType === 'float16';
  const unit = isHalf ? 2 ** -10 : 2 ** -24;
  const error = isHalf ? unit : unit * (values.length / variance.length + 2);
  return variance.map((value, group) => value + (error * (meanMagnitude[group] ?? 0)) ** 2 / unit);
}

type Gradients = WholeDescriptor<'batchNormalizationGrad' | 'batchNormalizationTrainingGrad'>;

function gradients(test: ConformanceCase) {
  const { descriptor } = test;
  if (descriptor.type !== 'batchNormalizationGrad' && descriptor.type !== 'batchNormalizationTrainingGrad') {
    throw new TypeError(`${descriptor.type} is no gradient`);
  }
  const { inputTensor, inputGradientTensor, meanTensor, varianceTensor, scaleTensor, epsilon }: Gradients = descriptor;
  const places = placesIn(inputTensor.sizes, meanTensor.sizes);
  const mean = inputOf(test, 'meanTensor', meanTensor);
  const gradient = inputOf(test, 'inputGradientTensor', inputGradientTensor).map(Math.abs);
  const count = product(meanTensor.sizes);
  const difference = inputOf(test, 'inputTensor', inputTensor).map((x, i) => Math.abs(x) + Math.abs(mean[places[i] ?? 0] ?? 0));
  return {
    places,
    gradient,
    difference,
    terms: gradient.length / count,
    variance: inputOf(test, 'varianceTensor', varianceTensor).map((value) => value + epsilon),
    scale: inputOf(test, 'scaleTensor', scaleTensor),
    ofScale: sumsBy(places, count, (i) => (gradient[i] ?? 0) * (difference[i] ?? 0)),
    ofBias: sumsBy(places, count, (i) => gradient[i] ?? 0),
  };
}

/** Σ |gradient| · (|x| + |mean|) / √(variance + epsilon) */
function scaleGradientMagnitudes(test: ConformanceCase): Float64Array {
  const { ofScale, variance } = gradients(test);
  return ofScale.map((sum, group) => sum / Math.sqrt(variance[group] ?? 0));
}

/** |scale| / √V · (|gradient| + mean |gradient| + |d| · mean |gradient · d| / V) with d = x − mean, V = variance + epsilon */
export function trainingGradientMagnitudes(test: ConformanceCase): Float64Array {
  const { places, gradient, difference, terms, variance, scale, ofScale, ofBias } = gradients(test);
  return gradient.map((value, i) => {
    const group = places[i] ?? 0;
    const centered = ((difference[i] ?? 0) * (ofScale[group] ?? 0)) / terms / (variance[group] ?? 0);
    const all = value + (ofBias[group] ?? 0) / terms + centered;
    return (Math.abs(scale[group] ?? 0) * all) / Math.sqrt(variance[group] ?? 0);
  });
}

const TRAINING = fusable({
  ulp: 14,
  perTerm: 1,
  magnitude: ofMagnitudes('|scale|·(|x| + mean |x|)/√(variance + epsilon) + |bias| + |added|'),
  magnitudesOf: trainingMagnitudes,
  narrowed: 3,
  reason:
    `mean and variance: 0.5 ULP per term each; ${ROOT}; differences, squares, products and sums; with float16, the mean, the ` +
    'variance (computed from that mean) and the root truncate to float16',
});

const MEAN: ComputedRow = {
  ulp: 1.5,
  perTerm: 0.5,
  magnitude: OF_MAGNITUDES,
  reason: 'a sum, divided by the number of terms or multiplied by its rounded reciprocal',
};

export const trainingRows: Variants = {
  pick: (descriptor, output) => (output === 'outputTensor' ? TRAINING.pick(descriptor, output) : output),
  rows: {
    ...TRAINING.rows,
    outputMeanTensor: MEAN,
    outputVarianceTensor: {
      ...MEAN,
      ulp: 4,
      magnitude: ofMagnitudes('variance + the square of the mean’s error'),
      magnitudesOf: varianceMagnitudes,
      narrowed: 2,
      reason:
        'a difference and a square per term, their sum, and a quotient; with float16, the mean and the squares truncate to ' +
        'float16',
    },
  },
};

const SCALE_GRADIENT: ComputedRow = {
  ulp: 12,
  perTerm: 0.5,
  magnitude: ofMagnitudes('Σ|gradient|·(|x| + |mean|)/√(variance + epsilon)'),
  magnitudesOf: scaleGradientMagnitudes,
  narrowed: 3,
  reason: `a difference and a product per term, and their sum; ${ROOT}; a product; with float16, all these truncate to float16`,
};

const BIAS_GRADIENT: ComputedRow = {
  ulp: 0,
  perTerm: 0.5,
  magnitude: OF_MAGNITUDES,
  narrowed: 1,
  reason: 'each term of the sum rounds by 0.5 ULP; with float16, the sum may be computed from a mean that truncates to float16',
};

export function gradientRows(outputGradientTensor: ComputedRow): Variants {
  return {
    pick: (_descriptor, output) => output,
    rows: { outputGradientTensor, outputScaleGradientTensor: SCALE_GRADIENT, outputBiasGradientTensor: BIAS_GRADIENT },
  };
}
