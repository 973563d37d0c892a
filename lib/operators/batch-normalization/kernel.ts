/** Normalization by mean and variance tensors, or by a batch's own mean and variance, and the gradients of both. */
import { inFloat32Range } from '../../compute/numbers.js';
import { haveSameDenseLayout, broadcast, readNumbers, writeNumbers, type TensorView } from '../../compute/tensor-view.js';
import { applyFusedActivation } from '../../compute/fused-activation.js';
import { groupsAlong, meanOf, meanOfSquares, type Groups } from '../../compute/groups.js';
import type { Kernel } from '../../compute/kernel.js';
import { productOf } from '../../tensors/tensor-size.js';

export const batchNormalization: Kernel<'batchNormalization'> = ({ epsilon, fusedActivation }, tensors) => {
  const { inputTensor, meanTensor, varianceTensor, scaleTensor, biasTensor, outputTensor } = tensors;
  const { sizes } = inputTensor;
  const values = readNumbers(inputTensor);
  const parameters = [meanTensor, varianceTensor, scaleTensor, biasTensor];
  const runs = runsOf(sizes, parameters);
  const byRun = (view: TensorView) => readNumbers(broadcast(view, runs));
  const [mean, variance, scale, bias] = [byRun(meanTensor), byRun(varianceTensor), byRun(scaleTensor), byRun(biasTensor)];
  const isMultipliedOut = multipliesOut(parameters, inputTensor, [outputTensor]);
  const length = values.length / mean.length;
  for (let run = 0; run < mean.length; run++) {
    const formula = formulaOf(mean[run] ?? 0, variance[run] ?? 0, scale[run] ?? 1, bias[run] ?? 0, epsilon, isMultipliedOut);
    for (let i = run * length; i < (run + 1) * length; i++) values[i] = normalized(values[i] ?? 0, formula);
  }
  applyFusedActivation(fusedActivation, values, sizes);
  writeNumbers(outputTensor, values);
};

/** (x - center) / deviation · factor + addend, or multiplied out: x · factor + addend. Infinities show which of them it is. */
interface Formula {
  readonly isMultipliedOut: boolean;
  readonly center: number;
  readonly deviation: number;
  readonly factor: number;
  readonly addend: number;
}

function formulaOf(
  center: number,
  variance: number,
  scale: number,
  bias: number,
  epsilon: number,
  isMultipliedOut: boolean,
): Formula {
  const deviation = Math.sqrt(inFloat32Range(variance + epsilon));
  if (!isMultipliedOut) return { isMultipliedOut, center, deviation, factor: scale, addend: bias };
  const reciprocal = inFloat32Range(1 / deviation);
  const factor = inFloat32Range(scale * reciprocal);
  const addend = inFloat32Range(bias - inFloat32Range(inFloat32Range(center * scale) * reciprocal));
  return { isMultipliedOut, center, deviation, factor, addend };
}

function normalized(x: number, { isMultipliedOut, center, deviation, factor, addend }: Formula): number {
  const normal = isMultipliedOut ? x : inFloat32Range(inFloat32Range(x - center) / deviation);
  return inFloat32Range(inFloat32Range(normal * factor) + addend);
}

/** The sizes, with 1 for the trailing dimensions along which every view has one element: a run of adjacent elements shares it. */
function runsOf(sizes: readonly number[], views: readonly TensorView[]): number[] {
  const isShared = (axis: number) => views.every((view) => productOf(view.sizes, axis) === 1);
  return sizes.map((size, axis) => (isShared(axis) ? 1 : size));
}

export const batchNormalizationTraining: Kernel<'batchNormalizationTraining'> = ({ epsilon, fusedActivation }, tensors) => {
  const { inputTensor: input, scaleTensor, biasTensor, fusedAddTensor } = tensors;
  const { outputTensor, outputMeanTensor, outputVarianceTensor } = tensors;
  const [scale, bias] = [readNumbers(scaleTensor), readNumbers(biasTensor)];
  const addends = fusedAddTensor === null ? null : readNumbers(fusedAddTensor);
  const values = readNumbers(input);
  const means = new Float64Array(outputMeanTensor.elementCount);
  const variances = new Float64Array(means.length);
  const differences = new Float64Array(values.length);
  const parameters = [outputMeanTensor, outputVarianceTensor, scaleTensor, biasTensor];
  const isMultipliedOut = multipliesOut(
    parameters,
    input,
    fusedAddTensor === null ? [outputTensor] : [outputTensor, fusedAddTensor],
  );
  eachGroup(groupsOf(input, scaleTensor), (start, steps, group) => {
    const mean = meanOf(values, start, steps);
    for (const step of steps) differences[start + step] = inFloat32Range((values[start + step] ?? 0) - mean);
    const variance = meanOfSquares(differences, start, steps);
    const formula = formulaOf(mean, variance, scale[group] ?? 1, bias[group] ?? 0, epsilon, isMultipliedOut);
    for (const step of steps) {
      const i = start + step;
      values[i] = inFloat32Range(normalized(values[i] ?? 0, formula) + (addends?.[i] ?? 0));
    }
    means[group] = mean;
    variances[group] = variance;
  });
  applyFusedActivation(fusedActivation, values, input.sizes);
  writeNumbers(outputTensor, values);
  writeNumbers(outputMeanTensor, means);
  writeNumbers(outputVarianceTensor, variances);
};

type Gradients = 'batchNormalizationGrad' | 'batchNormalizationTrainingGrad';

/** `isTraining` means that mean and variance are the input's own and change with it. */
const gradients =
  (isTraining: boolean): Kernel<Gradients> =>
  ({ epsilon }, tensors) => {
    const { inputTensor: input, outputScaleGradientTensor } = tensors;
    const values = readNumbers(input);
    const gradient = readNumbers(tensors.inputGradientTensor);
    const means = readNumbers(tensors.meanTensor);
    const variances = readNumbers(tensors.varianceTensor);
    const scales = readNumbers(tensors.scaleTensor);
    const result = new Float64Array(values.length);
    const ofScale = new Float64Array(outputScaleGradientTensor.elementCount);
    const ofBias = new Float64Array(ofScale.length);
    eachGroup(groupsOf(input, tensors.meanTensor), (start, steps, group) => {
      const mean = means[group] ?? 0;
      const variance = inFloat32Range((variances[group] ?? 0) + epsilon);
      let sum = 0;
      let product = 0;
      for (const step of steps) {
        const i = start + step;
        const difference = inFloat32Range((values[i] ?? 0) - mean);
        values[i] = difference;
        sum = inFloat32Range(sum + (gradient[i] ?? 0));
        product = inFloat32Range(product + inFloat32Range((gradient[i] ?? 0) * difference));
      }
      const deviation = Math.sqrt(variance);
      const factor = inFloat32Range((scales[group] ?? 1) / deviation);
      const [meanGradient, meanProduct] = [inFloat32Range(sum / steps.length), inFloat32Range(product / steps.length)];
      for (const step of steps) {
        const i = start + step;
        const own = gradient[i] ?? 0;
        const ofVariance = inFloat32Range(inFloat32Range((values[i] ?? 0) * meanProduct) / variance);
        result[i] = factor * (isTraining ? inFloat32Range(inFloat32Range(own - meanGradient) - ofVariance) : own);
      }
      ofScale[group] = product / deviation;
      ofBias[group] = sum;
    });
    writeNumbers(tensors.outputGradientTensor, result);
    writeNumbers(outputScaleGradientTensor, ofScale);
    writeNumbers(tensors.outputBiasGradientTensor, ofBias);
  };

export const batchNormalizationGrad = gradients(false);
export const batchNormalizationTrainingGrad = gradients(true);

/**
 * True if DirectML multiplies the formula out, with one factor and one addend for all elements that share their parameters. It
 * does so if mean, variance, scale and bias all have the same layout: packed in the order of the input's axes in memory. They may
 * have one element along some axes, and these come before or after all others.
 */
function multipliesOut(views: readonly TensorView[], input: TensorView, others: readonly TensorView[]): boolean {
  const { sizes, strides } = input;
  const parameters = views.map((view) => broadcast(view, sizes).strides);
  const axes = [...sizes.keys()].filter((axis) => sizes[axis] !== 1).sort((a, b) => (strides[b] ?? 0) - (strides[a] ?? 0));
  const along = axes.filter((axis) => parameters[0]?.[axis] !== 0);
  const start = axes.findIndex((axis) => along.includes(axis));
  const areTogether = along.every((axis, i) => axes[start + i] === axis);
  const packed = sizes.map(() => 0);
  along.forEach((axis, i) => (packed[axis] = along.slice(i + 1).reduce((product, other) => product * (sizes[other] ?? 1), 1)));
  const arePacked = parameters.every((parameter) => axes.every((axis) => parameter[axis] === packed[axis]));
  const areShared = axes.length === 0 || along.length < axes.length;
  return areTogether && arePacked && areShared && haveSameDenseLayout([input, ...others]);
}

/** Groups of elements that share their statistics. The statistics have size 1 along the axes of a group. */
function groupsOf(input: TensorView, statistics: TensorView): Groups {
  return groupsAlong(input.sizes, (axis) => statistics.sizes[axis] === 1);
}

function eachGroup({ first, steps }: Groups, visit: (start: number, steps: Uint32Array, group: number) => void): void {
  for (let group = 0; group < first.length; group++) visit(first[group] ?? 0, steps, group);
}
