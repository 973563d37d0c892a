/** Lowers normalizations. */
import type { Value } from '../../graph/value.js';
import type { DataType } from '../../schema/generated/enums.js';
import { normalizedAxes } from '../validate/matrix.js';
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

/** Scale and bias have the dimensions `places` of the input, in this order. */
function normalize(
  step: Step,
  inputTensor: Value,
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
  if (isAlone) return normalizeAlone(step, inputTensor, scaleTensor, biasTensor);
  const epsilon = Number(step.number(given));
  const [input, scale32, bias32] = [inputTensor, scaleTensor, biasTensor].map((value) => inFloat32(step, value));
  const tensors = { inputTensor: input ?? inputTensor, scaleTensor: scale32, biasTensor: bias32 };
  const { outputTensor } = step.add({ type: 'meanVarianceNormalization2', ...tensors, axes, epsilon });
  return castTo(step, outputTensor, step.dataType);
}

/** DirectML stores the variance of float16 as float16, which holds none above 65504, and little of one below 1e-5. */
function inFloat32(step: Step, value: Value | undefined): Value | undefined {
  return value === undefined ? undefined : castTo(step, value, 'float32');
}

/** Cut off, as DirectML does with all results of float16. */
function castTo(step: Step, inputTensor: Value, dataType: DataType): Value {
  if (inputTensor.dataType === dataType) return inputTensor;
  return step.add({ type: 'cast', inputTensor, outputTensor: { dataType } }).outputTensor;
}

/** The mean of an element alone is the element. DirectML takes it for the variance too, and gives NaN for negative ones. */
function normalizeAlone(step: Step, input: Value, scale: Value | undefined, bias: Value | undefined): Value {
  const rest = step.add({ type: 'elementWiseSubtract', aTensor: input, bTensor: input }).outputTensor;
  const scaled =
    scale === undefined
      ? rest
      : step.add({ type: 'elementWiseMultiply', aTensor: rest, bTensor: step.broadcast(scale) }).outputTensor;
  if (bias === undefined) return scaled;
  return step.add({ type: 'elementWiseAdd', aTensor: scaled, bTensor: step.broadcast(bias) }).outputTensor;
}
