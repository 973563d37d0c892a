/** Pooling. It is computed in float64 and rounded once, unless float32 would overflow. Maxima of integers are exact. */
import { isWide, largestFloat16, leastNormalFloat32, rangeOf, wideRangeOf } from '../../tensors/data-types.js';
import type { Resolved } from '../../descriptors/resolved.js';
import { readNumbers, viewNumbers, writeTruncated, writeNumbers, type TensorView } from '../../compute/tensor-view.js';
import type { Kernel } from '../../compute/kernel.js';
import { inFloat32Range } from '../../compute/numbers.js';
import type { WindowAxis } from '../../compute/pooling-axes.js';
import {
  raiseToLowest,
  divideByCounts,
  lowestFinite,
  NO_ELEMENT,
  windowCounts,
  windowMaxima,
  windowArgmax,
  windowAxes,
  windowSums,
} from '../../compute/pooling-windows.js';
import { windowSumsInFloat32, windowSumsWithOverflow } from '../../compute/pooling-sums.js';
import { quantize } from '../../compute/quantization.js';
import { productOf } from '../../tensors/tensor-size.js';
import { keyOf, readKeys, writeIndices, writeKeys } from '../../compute/integers.js';

type Averaging = 'averagePooling' | 'averagePooling1';

const averagePool: Kernel<Averaging> = (operator, { inputTensor: input, outputTensor: output }) => {
  writeTruncated(output, averages(operator, viewNumbers(input), windowAxes(operator, input.sizes, output.sizes)));
};

export const averagePooling = averagePool;
export const averagePooling1 = averagePool;

/** The average of a window that lies entirely in the padding is 0 / 0, unless padding counts. */
function averages(operator: Resolved<Averaging>, values: Float64Array | Float32Array, axes: readonly WindowAxis[]): Float64Array {
  const sums = windowSumsWithOverflow(values, axes);
  divideByCounts(sums, windowCounts(operator, axes));
  return sums;
}

/**
 * Powers and their sum overflow and underflow float32 even if their root would not. DirectML computes most powers by
 * exponentials, which give 0 in place of subnormals.
 */
const lpPool: Kernel<'lpPooling' | 'lpPooling1'> = (operator, { inputTensor: input, outputTensor: output }) => {
  const { p } = operator;
  const values = readNumbers(input);
  for (let i = 0; i < values.length; i++) values[i] = inFloat32Range(power(values[i] ?? 0, p));
  const sums = windowSums(values, windowAxes(operator, input.sizes, output.sizes));
  for (let i = 0; i < sums.length; i++) sums[i] = root(inFloat32Range(sums[i] ?? 0), p);
  writeTruncated(output, sums);
};

export const lpPooling = lpPool;
export const lpPooling1 = lpPool;

function power(value: number, p: number): number {
  if (p === 1 || p === 2) return p === 2 ? value * value : Math.abs(value);
  const result = Math.abs(value) ** p;
  return result < leastNormalFloat32 ? 0 : result;
}

/** The root of order p; for p = 0 it is a power with an infinite exponent. */
function root(sum: number, p: number): number {
  if (p === 2) return Math.sqrt(sum);
  return sum === 1 ? 1 : sum ** (1 / p);
}

/**
 * NaN is skipped, and the maximum starts from the lowest finite number. If no element is larger, that number is the result, with
 * the index of the window's first element, or with 0 if the window lies entirely in the padding.
 */
const maxPool: Kernel<'maxPooling' | 'maxPooling1' | 'maxPooling2'> = (operator, tensors) => {
  const { inputTensor: input, outputTensor: output } = tensors;
  const indices = 'outputIndicesTensor' in tensors ? tensors.outputIndicesTensor : null;
  const axes = windowAxes(operator, input.sizes, output.sizes);
  if (isWide(input.dataType)) {
    const lowest = keyOf(wideRangeOf(input.dataType).low, input);
    // Emulated integers may be less than the lowest one.
    const values = readKeys(input).map((value) => (value > lowest ? value : lowest));
    const argmax = windowArgmax(values, axes);
    writeKeys(
      output,
      BigInt64Array.from(argmax, (element) => values[element] ?? lowest),
    );
    if (indices !== null) writeArgmax(indices, argmax);
    return;
  }
  const lowest = lowestFinite(input.dataType);
  const values = viewNumbers(input);
  const maxima = windowMaxima(values, axes, lowest);
  if (output.dataType === 'float16')
    for (let i = 0; i < maxima.length; i++) maxima[i] = Math.max(maxima[i] ?? 0, -largestFloat16);
  writeNumbers(output, maxima);
  if (indices !== null) writeArgmax(indices, windowArgmax(raiseToLowest(lowest, readNumbers(input)), axes));
};

export const maxPooling = maxPool;
export const maxPooling1 = maxPool;
export const maxPooling2 = maxPool;

function writeArgmax(indices: TensorView, argmax: Uint32Array): void {
  writeIndices(
    indices,
    argmax.map((element) => (element === NO_ELEMENT ? 0 : element)),
  );
}

/** Computed in float32, step by step: at a tie the last bit decides between two levels. */
export const quantizedLinearAveragePooling: Kernel<'quantizedLinearAveragePooling'> = (operator, tensors) => {
  const {
    inputTensor: input,
    outputTensor: output,
    outputScaleTensor: outputScale,
    outputZeroPointTensor: outputZeroPoint,
  } = tensors;
  const values = readNumbers(input);
  const scale = perChannel(tensors.inputScaleTensor, input, 1);
  const zeroPoint = perChannel(tensors.inputZeroPointTensor, input, 0);
  for (let i = 0; i < values.length; i++) values[i] = Math.fround(((values[i] ?? 0) - zeroPoint(i)) * scale(i));
  const axes = windowAxes(operator, input.sizes, output.sizes);
  const means = windowSumsInFloat32(values, axes);
  divideByCounts(means, windowCounts(operator, axes));
  for (let i = 0; i < means.length; i++) means[i] = Math.fround(means[i] ?? 0);
  const scaleOf = perChannel(outputScale, output, 1);
  quantize(
    output,
    means,
    scaleOf,
    perChannel(outputZeroPoint, output, 0),
    levelOfNaN(input, output, outputScale, outputZeroPoint),
  );
};

/**
 * The level of 0 / 0, the average of a window that lies entirely in the padding. It depends on how many elements DirectML
 * computes at a time.
 */
function levelOfNaN(input: TensorView, output: TensorView, scale: TensorView, zeroPoint: TensorView | null): number {
  const { low, high } = rangeOf(output.dataType);
  if (zeroPoint === null) return high;
  const areSingle = scale.elementCount === 1 && zeroPoint.elementCount === 1;
  const arePacked = input.offsets === null && output.offsets === null;
  return areSingle && arePacked ? low : 0;
}

/** A parameter for each element of `of`. There is one for all channels, or one per channel. */
function perChannel(parameter: TensorView | null, tensor: TensorView, absent: number): (element: number) => number {
  if (parameter === null) return () => absent;
  const values = readNumbers(parameter);
  const size = productOf(tensor.sizes, 2);
  return (element) => values[Math.floor(element / size) % values.length] ?? absent;
}
