/** Lowers normalizations. */
import type { Value } from '../../graph/value.js';
import { normalizedAxes } from '../validate/matrix.js';
import { plainCast } from './cast.js';
import type { Lowerings, Step } from './step.js';

export const normalizations: Lowerings<'batchNormalization' | 'instanceNormalization' | 'layerNormalization'> = {
  batchNormalization: (step, inputTensor, mean, variance, { axis, scale, bias, epsilon }) => {
    const { dataType, sizes } = step;
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
    if (step.isScalar || axes.length === 0) {
      // The mean of nothing but an element is the element.
      const rest = step.add({ type: 'elementWiseSubtract', aTensor: input, bTensor: input }).outputTensor;
      if (bias === undefined) return rest;
      return step.add({ type: 'elementWiseAdd', aTensor: rest, bTensor: bias.broadcastTo(step.sizes) }).outputTensor;
    }
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
  epsilon: number,
): Value {
  const order = [...places.keys()].sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
  const sizes = step.sizes.map((size, axis) => (places.includes(axis) ? size : 1));
  const along = (value: Value | undefined) => {
    return value === undefined ? undefined : plainCast(step, step.reshape(value.transpose(order), sizes), 'float32');
  };
  const [inputTensor, scaleTensor, biasTensor] = [plainCast(step, input, 'float32'), along(scale), along(bias)];
  const type = 'meanVarianceNormalization2';
  const { outputTensor } = step.add({ type, inputTensor, scaleTensor, biasTensor, axes, epsilon });
  return plainCast(step, outputTensor, step.dataType);
}
