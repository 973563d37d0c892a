/** Normalization by a mean and a variance that are tensors too, and its gradients. */
import type { ResolvedOperator } from '../../../validation/resolved.js';
import { areAlikeAndDense, broadcast, readNumbers, writeNumbers, type TensorView } from '../tensor-view.js';
import { applyFusedActivation } from './fused-activation.js';
import { groupsAlong, meanOf, meanOfSquares, type Groups } from './groups.js';
import { numberField, productOf, required, type Kernel } from './kernel.js';

/**
 * Where all parameters are one for several elements alike, DirectML multiplies out, by a factor and an addend for each of
 * these groups. An infinite factor tells that apart.
 */
export const batchNormalization: Kernel = (operator, inputs, outputs) => {
  const { sizes } = required(inputs, 0);
  const values = readNumbers(required(inputs, 0));
  const runs = runsOf(sizes, inputs.slice(1));
  const byRun = (position: number) => readNumbers(broadcast(required(inputs, position), runs));
  const [mean, variance, scale, bias] = [byRun(1), byRun(2), byRun(3), byRun(4)];
  const epsilon = epsilonOf(operator);
  const isMultipliedOut = haveFactors(inputs, required(outputs, 0));
  const length = values.length / mean.length;
  for (let run = 0; run < mean.length; run++) {
    const [center, factor, shift] = [mean[run] ?? 0, scale[run] ?? 1, bias[run] ?? 0];
    const deviation = Math.sqrt((variance[run] ?? 0) + epsilon);
    const addend = isMultipliedOut && deviation === 0 ? shift - center * (factor / deviation) : null;
    for (let i = run * length; i < (run + 1) * length; i++) {
      const x = values[i] ?? 0;
      values[i] = addend === null ? factor * ((x - center) / deviation) + shift : x * (factor / deviation) + addend;
    }
  }
  applyFusedActivation(operator.fields['fusedActivation'], values, sizes);
  writeNumbers(required(outputs, 0), values);
};

/** The sizes, with 1 for the last dimensions if the views have one element along them: a run of neighbours shares it. */
function runsOf(sizes: readonly number[], views: readonly (TensorView | null)[]): number[] {
  const isShared = (axis: number) => views.every((view) => view === null || productOf(view.sizes, axis) === 1);
  return sizes.map((size, axis) => (isShared(axis) ? 1 : size));
}

export const batchNormalizationTraining: Kernel = (operator, inputs, outputs) => {
  const input = required(inputs, 0);
  const [scale, bias] = [readNumbers(required(inputs, 1)), readNumbers(required(inputs, 2))];
  const added = inputs[3] ? readNumbers(inputs[3]) : null;
  const values = readNumbers(input);
  const means = new Float64Array(required(outputs, 1).elementCount);
  const variances = new Float64Array(means.length);
  const epsilon = epsilonOf(operator);
  eachGroup(groupsOf(input, required(inputs, 1)), (start, steps, group) => {
    const mean = meanOf(values, start, steps);
    for (const step of steps) values[start + step] = (values[start + step] ?? 0) - mean;
    const variance = meanOfSquares(values, start, steps);
    const factor = (scale[group] ?? 1) / Math.sqrt(variance + epsilon);
    for (const step of steps) {
      const i = start + step;
      values[i] = (values[i] ?? 0) * factor + (bias[group] ?? 0) + (added?.[i] ?? 0);
    }
    means[group] = mean;
    variances[group] = variance;
  });
  applyFusedActivation(operator.fields['fusedActivation'], values, input.sizes);
  writeNumbers(required(outputs, 0), values);
  writeNumbers(required(outputs, 1), means);
  writeNumbers(required(outputs, 2), variances);
};

/** `isTraining` where mean and variance are the input's own, and change with it. */
const gradients = (isTraining: boolean): Kernel => (operator, inputs, outputs) => {
  const input = required(inputs, 0);
  const values = readNumbers(input);
  const gradient = readNumbers(required(inputs, 1));
  const means = readNumbers(required(inputs, 2));
  const variances = readNumbers(required(inputs, 3));
  const scales = readNumbers(required(inputs, 4));
  const result = new Float64Array(values.length);
  const ofScale = new Float64Array(required(outputs, 1).elementCount);
  const ofBias = new Float64Array(ofScale.length);
  const epsilon = epsilonOf(operator);
  eachGroup(groupsOf(input, required(inputs, 2)), (start, steps, group) => {
    const mean = means[group] ?? 0;
    const variance = (variances[group] ?? 0) + epsilon;
    let sum = 0;
    let product = 0;
    for (const step of steps) {
      const i = start + step;
      sum += gradient[i] ?? 0;
      product += (gradient[i] ?? 0) * ((values[i] ?? 0) - mean);
    }
    const factor = (scales[group] ?? 1) / Math.sqrt(variance);
    for (const step of steps) {
      const i = start + step;
      const difference = (values[i] ?? 0) - mean;
      const ofStatistics = isTraining ? (sum + (difference * product) / variance) / steps.length : 0;
      result[i] = factor * ((gradient[i] ?? 0) - ofStatistics);
    }
    ofScale[group] = product / Math.sqrt(variance);
    ofBias[group] = sum;
  });
  writeNumbers(required(outputs, 0), result);
  writeNumbers(required(outputs, 1), ofScale);
  writeNumbers(required(outputs, 2), ofBias);
};

export const batchNormalizationGrad = gradients(false);
export const batchNormalizationTrainingGrad = gradients(true);

/**
 * Whether mean, variance, scale and bias lie alike: packed in the order of the input's axes in memory, but for those along
 * which each of them is one element, and which come before or after all others.
 */
function haveFactors(inputs: readonly (TensorView | null)[], output: TensorView): boolean {
  const input = required(inputs, 0);
  const { sizes, strides } = input;
  const parameters = [1, 2, 3, 4].map((position) => broadcast(required(inputs, position), sizes).strides);
  const axes = [...sizes.keys()].filter((axis) => sizes[axis] !== 1).sort((a, b) => (strides[b] ?? 0) - (strides[a] ?? 0));
  const along = axes.filter((axis) => parameters[0]?.[axis] !== 0);
  const start = axes.findIndex((axis) => along.includes(axis));
  const areTogether = along.every((axis, i) => axes[start + i] === axis);
  const packed = sizes.map(() => 0);
  along.forEach((axis, i) => (packed[axis] = along.slice(i + 1).reduce((product, other) => product * (sizes[other] ?? 1), 1)));
  const arePacked = parameters.every((parameter) => axes.every((axis) => parameter[axis] === packed[axis]));
  const areShared = axes.length === 0 || along.length < axes.length;
  return areTogether && arePacked && areShared && areAlikeAndDense([input, output]);
}

function epsilonOf(operator: ResolvedOperator): number {
  return Math.fround(numberField(operator, 'epsilon'));
}

/** Elements that share their statistics, which are 1 long along their axes. */
function groupsOf(input: TensorView, statistics: TensorView): Groups {
  return groupsAlong(input.sizes, (axis) => statistics.sizes[axis] === 1);
}

function eachGroup({ first, steps }: Groups, visit: (start: number, steps: Uint32Array, group: number) => void): void {
  for (let group = 0; group < first.length; group++) visit(first[group] ?? 0, steps, group);
}
