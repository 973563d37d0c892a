/** Normalizations, from the specification's text. Numbers are float64. */
import { castNumber } from '../elements.js';
import type { MLLayerNormalizationOptions } from 'node-directml/webnn';
import type { Formula, Plain } from '../operator.js';
import { coordinatesOf, makeTensor, numberAt, type Outcome, type PlainTensor, type Shape } from '../plain-tensor.js';
import { sumOf, type Term } from './term.js';

/** The options that all normalizations have. */
type Options = Plain<Pick<MLLayerNormalizationOptions, 'scale' | 'bias' | 'epsilon'>>;

export const batchNormalization: Formula<'batchNormalization'> = (input, mean, variance, { axis = 1, ...options } = {}) => {
  return makeTensor(input.dataType, input.shape, (place) => {
    const own = [place[axis] ?? 0];
    return normalized(input, place, own, { mean: numberAt(mean, own), variance: numberAt(variance, own) }, options);
  });
};

export const instanceNormalization: Formula<'instanceNormalization'> = (input, { layout = 'nchw', ...options } = {}) => {
  const isFirst = layout === 'nchw';
  return normalizedOver(input, isFirst ? [2, 3] : [1, 2], [isFirst ? 1 : 3], options);
};

/** Scale and bias have the dimensions `axes` of the input, in this order. */
export const layerNormalization: Formula<'layerNormalization'> = (input, options = {}) => {
  const { axes = [...input.shape.keys()].slice(1) } = options;
  return normalizedOver(input, axes, axes, options);
};

/** Takes mean and variance over the elements whose coordinates differ only along the axes. */
function normalizedOver(input: PlainTensor, axes: Shape, places: Shape, options: Options): PlainTensor {
  const window = [...coordinatesOf(axes.map((axis) => input.shape[axis] ?? 1))];
  return makeTensor(input.dataType, input.shape, (place) => {
    const elements = window.map((offsets) => {
      const other = place.map((i, axis) => offsets[axes.indexOf(axis)] ?? i);
      return numberAt(input, other);
    });
    const { value: mean, scale: largest } = average(elements);
    const variance = average(elements.map((element) => (element - mean) ** 2)).value;
    const own = places.map((axis) => place[axis] ?? 0);
    return normalized(input, place, own, { mean, variance, largest }, options);
  });
}

interface Statistics {
  readonly mean: number;
  readonly variance: number;
  /** The largest magnitude among the elements over which the mean is taken. */
  readonly largest?: number;
}

/** (element - mean) / √(variance + epsilon) · scale + bias, with epsilon cast to the data type. */
function normalized(
  input: PlainTensor,
  place: Shape,
  own: Shape,
  { mean, variance, largest = Math.abs(mean) }: Statistics,
  { scale, bias, epsilon = 1e-5 }: Options,
): Outcome {
  const factor = scale === undefined ? 1 : numberAt(scale, own);
  const deviation = Math.sqrt(variance + Number(castNumber(epsilon, input.dataType)));
  const element = numberAt(input, place);
  const value = ((element - mean) / deviation) * factor;
  const product = { value, scale: (Math.max(Math.abs(element), largest) / deviation) * Math.abs(factor) };
  return bias === undefined ? product : sumOf([product, numberAt(bias, own)]);
}

function average(numbers: readonly number[]): Term {
  const { value, scale } = sumOf(numbers);
  return { value: value / numbers.length, scale: Math.max(...numbers.map(Math.abs), scale / numbers.length) };
}
