/** Lowers normalizations. */
import type { Value } from '../../graph/value.js';
import { normalizedAxes } from '../validate/matrix.js';
import { add, multiply, subtract } from './arithmetic.js';
import { plainCast } from './cast.js';
import type { Lowerings, Step } from './step.js';

export const normalizations: Lowerings<'batchNormalization' | 'instanceNormalization' | 'layerNormalization'> = {
  batchNormalization: (step, inputTensor, mean, variance, { axis, scale, bias, epsilon: given }) => {
    const { dataType, sizes } = step;
    const epsilon = Number(step.number(given));
    const along = (value: Value) =>
      step.reshape(
        value,
        sizes.map((_, i) => (i === axis ? (value.sizes[0] ?? 1) : 1)),
      );
    const one = (number: number) =>
      step.fill(
        dataType,
        sizes.map(() => 1),
        number,
      );
    return step.add({
      ...{ type: 'batchNormalization', inputTensor, epsilon },
      ...{ meanTensor: along(mean), varianceTensor: along(variance) },
      ...{ scaleTensor: scale === undefined ? one(1) : along(scale), biasTensor: bias === undefined ? one(0) : along(bias) },
    }).outputTensor;
  },
  instanceNormalization: (step, input, { scale, bias, layout, epsilon }) => {
    const [channels, axes] = layout === 'nchw' ? [1, [2, 3]] : [3, [1, 2]];
    return normalize(step, input, axes, [channels], scale, bias, epsilon);
  },
  layerNormalization: (step, input, { scale, bias, axes = normalizedAxes(input.sizes.length), epsilon }) => {
    return normalize(step, input, axes, axes, scale, bias, epsilon);
  },
};

/**
 * Scale and bias have the dimensions `places` of the input, in this order. DirectML keeps the mean and variance of float16 in
 * float16, where the variance of numbers above 256 or below 2^-12 has no place, so float32 takes over.
 */
function normalize(
  step: Step,
  input: Value,
  axes: readonly number[],
  places: readonly number[],
  scale: Value | undefined,
  bias: Value | undefined,
  given: number,
): Value {
  const order = [...places.keys()].sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
  const sizes = step.sizes.map((size, axis) => (places.includes(axis) ? size : 1));
  const sorted = (value: Value) => (order.length < 2 ? value : value.transpose(order));
  const along = (value: Value | undefined) => (value === undefined ? undefined : step.reshape(sorted(value), sizes));
  const [scaleTensor, biasTensor] = [along(scale), along(bias)];
  const isAlone = axes.every((axis) => step.sizes[axis] === 1);
  if (isAlone) return normalizeAlone(step, input, scaleTensor, biasTensor);
  const epsilon = Number(step.number(given));
  const inFloat32 = (value: Value) => plainCast(step, value, 'float32');
  const tensors = {
    inputTensor: inFloat32(input),
    scaleTensor: scaleTensor === undefined ? undefined : inFloat32(scaleTensor),
    biasTensor: biasTensor === undefined ? undefined : inFloat32(biasTensor),
  };
  const { outputTensor } = step.add({ type: 'meanVarianceNormalization2', ...tensors, axes, epsilon });
  return plainCast(step, outputTensor, step.dataType);
}

/** The mean of an element alone is the element. DirectML takes it for the variance too, and gives NaN for negative ones. */
function normalizeAlone(step: Step, input: Value, scale: Value | undefined, bias: Value | undefined): Value {
  const rest = subtract(step, input, input);
  const scaled = scale === undefined ? rest : multiply(step, rest, step.broadcast(scale));
  return bias === undefined ? scaled : add(step, scaled, step.broadcast(bias));
}
