/**
 * Normalization by statistics of the input itself: along axes, in a neighbourhood, or by a norm. Squares, sums and quotients
 * overflow and underflow at each step, as in DirectML's float32.
 */
import { leastNormalFloat32 } from '../../tensors/data-types.js';
import type { Resolved } from '../../descriptors/resolved.js';
import { broadcast, readNumbers, viewNumbers, writeNumbers, type TensorView } from '../../compute/tensor-view.js';
import { byBlocks } from '../../compute/blocks.js';
import { applyFusedActivation } from '../../compute/fused-activation.js';
import { groupsAlong, meanOf, meanOfSquares, type Groups } from '../../compute/groups.js';
import type { Kernel, Tensors } from '../../compute/kernel.js';
import { windowAxis, windowSumsAlong } from '../../compute/pooling-windows.js';
import { inFloat32Range } from '../../compute/numbers.js';
import { power } from '../../compute/power.js';

interface Statistics {
  readonly useMean: boolean;
  readonly useVariance: boolean;
}

type MeanVariance = 'meanVarianceNormalization' | 'meanVarianceNormalization1' | 'meanVarianceNormalization2';

export const meanVarianceNormalization: Kernel<'meanVarianceNormalization'> = (operator, tensors) => {
  const axes = operator.crossChannel ? [1, 2, 3] : [2, 3];
  meanVariance(operator, tensors, axes, { useMean: true, useVariance: operator.normalizeVariance });
};

export const meanVarianceNormalization1: Kernel<'meanVarianceNormalization1'> = (operator, tensors) => {
  meanVariance(operator, tensors, operator.axes, { useMean: true, useVariance: operator.normalizeVariance });
};

export const meanVarianceNormalization2: Kernel<'meanVarianceNormalization2'> = (operator, tensors) => {
  meanVariance(operator, tensors, operator.axes, operator);
};

function meanVariance(
  operator: Resolved<MeanVariance>,
  tensors: Tensors<MeanVariance>,
  axes: readonly number[],
  statistics: Statistics,
): void {
  const { epsilon, fusedActivation } = operator;
  const normalizeBlocks = byBlocks<Resolved<MeanVariance>, Tensors<MeanVariance>>(
    (_operator, { inputTensor: input, scaleTensor, biasTensor, outputTensor }) => {
      const groups = groupsAlong(input.sizes, (axis) => axes.includes(axis));
      const values = readNumbers(input);
      normalize(values, groups, statistics, epsilon);
      scaleAndShift(values, input.sizes, scaleTensor, biasTensor);
      applyFusedActivation(fusedActivation, values, input.sizes);
      writeNumbers(outputTensor, values);
    },
    () => axes,
  );
  normalizeBlocks(operator, tensors);
}

function normalize(values: Float64Array, { first, steps }: Groups, { useMean, useVariance }: Statistics, epsilon: number): void {
  for (const start of first) {
    const mean = useMean ? meanOf(values, start, steps) : 0;
    for (const step of steps) values[start + step] = inFloat32Range((values[start + step] ?? 0) - mean);
    if (!useVariance) continue;
    // For a single element DirectML takes the element itself as the variance, so that negative ones become NaN.
    const variance = steps.length === 1 && useMean ? mean : meanOfSquares(values, start, steps);
    const deviation = Math.sqrt(inFloat32Range(variance + epsilon));
    for (const step of steps) values[start + step] = inFloat32Range((values[start + step] ?? 0) / deviation);
  }
}

function scaleAndShift(values: Float64Array, sizes: readonly number[], scale: TensorView | null, bias: TensorView | null): void {
  const factors = scale === null ? null : readNumbers(broadcast(scale, sizes));
  const addends = bias === null ? null : readNumbers(broadcast(bias, sizes));
  for (let i = 0; i < values.length; i++) {
    values[i] = inFloat32Range(inFloat32Range((values[i] ?? 0) * (factors?.[i] ?? 1)) + (addends?.[i] ?? 0));
  }
}

type LocalResponse = 'localResponseNormalization' | 'localResponseNormalizationGrad';

/** input / (bias + alpha / localSize * Σ input²)^beta, summed over the element's neighbourhood. A negative base gives NaN. */
export const localResponseNormalization: Kernel<'localResponseNormalization'> = (
  operator,
  { inputTensor: input, outputTensor },
) => {
  const values = viewNumbers(input);
  const bases = localBases(operator, values, input.sizes);
  const { beta } = operator;
  for (let i = 0; i < bases.length; i++) {
    const base = bases[i] ?? 0;
    bases[i] = (values[i] ?? 0) / (base < 0 ? NaN : flushedPower(base, beta));
  }
  writeNumbers(outputTensor, bases);
};

/**
 * The gradient of an element x is a sum over its neighbourhood: of gradient · (base^-beta, only for x itself, - factor ·
 * base^(-beta-1) · x · neighbour). Infinities show that it is computed in this order. If `localSize` is even, the elements whose
 * neighbourhoods contain x are not those in the neighbourhood of x; DirectML makes no difference between them.
 */
export const localResponseNormalizationGrad: Kernel<'localResponseNormalizationGrad'> = (operator, tensors) => {
  const input = tensors.inputTensor;
  const values = readNumbers(input);
  const gradients = readNumbers(tensors.inputGradientTensor);
  const bases = localBases(operator, values, input.sizes);
  const { beta } = operator;
  const factor = inFloat32Range(2 * beta * factorOf(operator));
  const own = bases.map((base) => flushedPower(base, -beta));
  const shares = bases.map((base) => inFloat32Range(factor * flushedPower(base, Math.fround(-beta - 1))));
  const { rows, columns, inner, window, start } = neighbourhood(operator, input.sizes);
  const result = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const column = Math.floor(i / inner) % columns;
    const row = Math.floor(i / inner / columns) % rows;
    const first = i - (row * columns + column) * inner;
    const x = values[i] ?? 0;
    let sum = 0;
    for (let y = Math.max(0, row - start); y < Math.min(rows, row - start + window); y++) {
      for (let z = Math.max(0, column - start); z < Math.min(columns, column - start + window); z++) {
        const j = first + (y * columns + z) * inner;
        const product = inFloat32Range(inFloat32Range((shares[j] ?? 0) * x) * (values[j] ?? 0));
        const slope = inFloat32Range((i === j ? (own[j] ?? 0) : 0) - product);
        sum = inFloat32Range(sum + inFloat32Range((gradients[j] ?? 0) * slope));
      }
    }
    result[i] = sum;
  }
  writeNumbers(tensors.outputGradientTensor, result);
};

interface Neighbourhood {
  readonly rows: number;
  readonly columns: number;
  /** The distance from one column to the next, in elements. */
  readonly inner: number;
  /** The size along rows and columns. If it is even, one more element comes after the center than before it. */
  readonly window: number;
  readonly start: number;
}

function neighbourhood(operator: Resolved<LocalResponse>, sizes: readonly number[]): Neighbourhood {
  const [, channels = 1, height = 1, width = 1] = sizes;
  const window = operator.localSize;
  const start = Math.floor((window - 1) / 2);
  return operator.crossChannel
    ? { rows: 1, columns: channels, inner: height * width, window, start }
    : { rows: height, columns: width, inner: 1, window, start };
}

function localBases(
  operator: Resolved<LocalResponse>,
  values: Float64Array | Float32Array,
  sizes: readonly number[],
): Float64Array {
  const factor = factorOf(operator);
  const { bias } = operator;
  const squares = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) squares[i] = inFloat32Range((values[i] ?? 0) * (values[i] ?? 0));
  const { rows, columns, inner, window, start } = neighbourhood(operator, sizes);
  const along = (size: number) => windowAxis(size, size, { window, start, stride: 1, dilation: 1 });
  const sums = windowSumsAlong(squares, along(columns), inner);
  const bases = rows === 1 ? sums : windowSumsAlong(sums, along(rows), columns * inner);
  for (let i = 0; i < bases.length; i++) {
    bases[i] = inFloat32Range(bias + inFloat32Range(factor * inFloat32Range(bases[i] ?? 0)));
  }
  return bases;
}

/** alpha / localSize, even within the plane, where up to localSize² elements are summed. */
function factorOf(operator: Resolved<LocalResponse>): number {
  return inFloat32Range(operator.alpha / operator.localSize);
}

/** A power without subnormals: the shader's exponential and logarithm read them as 0, and give 0 in their place. */
function flushedPower(base: number, exponent: number): number {
  return flushed(inFloat32Range(power(flushed(base), exponent)));
}

function flushed(value: number): number {
  return Math.abs(value) < leastNormalFloat32 ? 0 : value;
}

/** input / √(norm² + epsilon) */
export const lpNormalization: Kernel<'lpNormalization'> = byBlocks(
  ({ axis, p: order, epsilon }, { inputTensor: input, outputTensor }) => {
    const values = readNumbers(input);
    const { first, steps } = groupsAlong(input.sizes, (candidate) => candidate === axis);
    for (const start of first) {
      let sum = 0;
      for (const step of steps) sum += inFloat32Range(Math.abs(values[start + step] ?? 0) ** order);
      const square = inFloat32Range(inFloat32Range(sum) ** (2 / order));
      const norm = Math.sqrt(inFloat32Range(square + epsilon));
      for (const step of steps) values[start + step] = (values[start + step] ?? 0) / norm;
    }
    writeNumbers(outputTensor, values);
  },
  ({ axis }) => [axis],
);
