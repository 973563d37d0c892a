/**
 * Normalization by statistics of the input itself: along axes, in a neighbourhood, or by a norm. Each step is DirectML's,
 * for which float32 ends: squares, sums and quotients overflow and underflow.
 */
import type { ResolvedOperator } from '../../../validation/resolved.js';
import { broadcast, readNumbers, viewNumbers, writeNumbers, type TensorView } from '../tensor-view.js';
import { power } from './element-wise-pow.js';
import { applyFusedActivation } from './fused-activation.js';
import { groupsAlong, meanOf, meanOfSquares, type Groups } from './groups.js';
import { numberField, required, type Kernel } from './kernel.js';
import { sumsAlong, windowsAlong } from './pooling-windows.js';
import { inFloat32Range } from '../numbers.js';

interface Statistics {
  readonly useMean: boolean;
  readonly useVariance: boolean;
}

type Of<T> = (operator: ResolvedOperator) => T;

const meanVariance =
  (axesOf: Of<readonly number[]>, statisticsOf: Of<Statistics>): Kernel =>
  (operator, inputs, outputs) => {
    const input = required(inputs, 0);
    const [, scale = null, bias = null] = inputs;
    const axes = axesOf(operator);
    const groups = groupsAlong(input.sizes, (axis) => axes.includes(axis));
    const values = readNumbers(input);
    normalize(values, groups, statisticsOf(operator), Math.fround(numberField(operator, 'epsilon')));
    scaleAndShift(values, input.sizes, scale, bias);
    applyFusedActivation(operator.fields['fusedActivation'], values, input.sizes);
    writeNumbers(required(outputs, 0), values);
  };

const axesField: Of<readonly number[]> = ({ fields: { axes } }) => (Array.isArray(axes) ? axes.map(Number) : []);
const planeOrImage: Of<readonly number[]> = ({ fields }) => (fields['crossChannel'] === true ? [1, 2, 3] : [2, 3]);
const byVariance: Of<Statistics> = ({ fields }) => ({ useMean: true, useVariance: fields['normalizeVariance'] === true });

export const meanVarianceNormalization = meanVariance(planeOrImage, byVariance);
export const meanVarianceNormalization1 = meanVariance(axesField, byVariance);
export const meanVarianceNormalization2 = meanVariance(axesField, ({ fields }) => ({
  useMean: fields['useMean'] === true,
  useVariance: fields['useVariance'] === true,
}));

function normalize(
  values: Float64Array,
  { first, steps }: Groups,
  { useMean, useVariance }: Statistics,
  epsilon: number,
): void {
  for (const start of first) {
    const mean = useMean ? meanOf(values, start, steps) : 0;
    for (const step of steps) values[start + step] = inFloat32Range((values[start + step] ?? 0) - mean);
    if (!useVariance) continue;
    // Of a single element DirectML takes the element for its variance, so that negative ones become NaN.
    const variance = steps.length === 1 && useMean ? mean : meanOfSquares(values, start, steps);
    const deviation = Math.sqrt(inFloat32Range(variance + epsilon));
    for (const step of steps) values[start + step] = inFloat32Range((values[start + step] ?? 0) / deviation);
  }
}

function scaleAndShift(
  values: Float64Array,
  sizes: readonly number[],
  scale: TensorView | null,
  bias: TensorView | null,
): void {
  const factors = scale === null ? null : readNumbers(broadcast(scale, sizes));
  const addends = bias === null ? null : readNumbers(broadcast(bias, sizes));
  for (let i = 0; i < values.length; i++) {
    values[i] = inFloat32Range(inFloat32Range((values[i] ?? 0) * (factors?.[i] ?? 1)) + (addends?.[i] ?? 0));
  }
}

/** input / (bias + alpha / localSize * Σ input²)^beta, the sum over the elements around it. A negative base gives NaN. */
export const localResponseNormalization: Kernel = (operator, inputs, outputs) => {
  const input = required(inputs, 0);
  const values = viewNumbers(input);
  const bases = localBases(operator, values, input.sizes);
  const beta = Math.fround(numberField(operator, 'beta'));
  for (let i = 0; i < bases.length; i++) {
    const base = bases[i] ?? 0;
    bases[i] = (values[i] ?? 0) / (base < 0 ? NaN : flushedPower(base, beta));
  }
  writeNumbers(required(outputs, 0), bases);
};

/**
 * Each element's is the sum over the elements around it of gradient · (base^-beta, for itself alone, - factor ·
 * base^(-beta-1) · its x · their x): in this order, which infinities show. Of an even `localSize` those that it is around
 * of would be others; DirectML makes no difference.
 */
export const localResponseNormalizationGrad: Kernel = (operator, inputs, outputs) => {
  const input = required(inputs, 0);
  const values = readNumbers(input);
  const gradients = readNumbers(required(inputs, 1));
  const bases = localBases(operator, values, input.sizes);
  const beta = Math.fround(numberField(operator, 'beta'));
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
  writeNumbers(required(outputs, 0), result);
};

interface Neighbourhood {
  readonly rows: number;
  readonly columns: number;
  /** From one column to the next, in elements. */
  readonly inner: number;
  /** Along rows and columns: of an even number one more comes after an element than before it. */
  readonly window: number;
  readonly start: number;
}

function neighbourhood(operator: ResolvedOperator, sizes: readonly number[]): Neighbourhood {
  const [, channels = 1, height = 1, width = 1] = sizes;
  const window = numberField(operator, 'localSize');
  const start = Math.floor((window - 1) / 2);
  return operator.fields['crossChannel'] === true
    ? { rows: 1, columns: channels, inner: height * width, window, start }
    : { rows: height, columns: width, inner: 1, window, start };
}

function localBases(operator: ResolvedOperator, values: Float64Array | Float32Array, sizes: readonly number[]): Float64Array {
  const factor = factorOf(operator);
  const bias = Math.fround(numberField(operator, 'bias'));
  const squares = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) squares[i] = inFloat32Range((values[i] ?? 0) * (values[i] ?? 0));
  const { rows, columns, inner, window, start } = neighbourhood(operator, sizes);
  const along = (size: number) => windowsAlong(size, size, { window, start, stride: 1, dilation: 1 });
  const sums = sumsAlong(squares, along(columns), inner);
  const bases = rows === 1 ? sums : sumsAlong(sums, along(rows), columns * inner);
  for (let i = 0; i < bases.length; i++) {
    bases[i] = inFloat32Range(bias + inFloat32Range(factor * inFloat32Range(bases[i] ?? 0)));
  }
  return bases;
}

/** By `localSize`, in the plane too, where up to its square are summed. */
function factorOf(operator: ResolvedOperator): number {
  return inFloat32Range(Math.fround(numberField(operator, 'alpha')) / numberField(operator, 'localSize'));
}

/** Without subnormals: exponential and logarithm take them for 0, and give 0 for them. */
function flushedPower(base: number, exponent: number): number {
  return flushed(inFloat32Range(power(flushed(base), exponent)));
}

function flushed(value: number): number {
  return Math.abs(value) < 2 ** -126 ? 0 : value;
}

/** input / √(norm² + epsilon) */
export const lpNormalization: Kernel = (operator, inputs, outputs) => {
  const input = required(inputs, 0);
  const axis = numberField(operator, 'axis');
  const order = numberField(operator, 'p');
  const epsilon = Math.fround(numberField(operator, 'epsilon'));
  const values = readNumbers(input);
  const { first, steps } = groupsAlong(input.sizes, (candidate) => candidate === axis);
  for (const start of first) {
    let sum = 0;
    for (const step of steps) sum += inFloat32Range(Math.abs(values[start + step] ?? 0) ** order);
    const square = inFloat32Range(inFloat32Range(sum) ** (2 / order));
    const norm = Math.sqrt(inFloat32Range(square + epsilon));
    for (const step of steps) values[start + step] = (values[start + step] ?? 0) / norm;
  }
  writeNumbers(required(outputs, 0), values);
};
