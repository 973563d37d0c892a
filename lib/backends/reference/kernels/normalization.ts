/** Normalization by statistics of the input itself: along axes, in a neighbourhood, or by a norm. */
import type { ResolvedOperator } from '../../../validation/resolved.js';
import { broadcast, readNumbers, viewNumbers, writeNumbers, type TensorView } from '../tensor-view.js';
import { applyFusedActivation } from './fused-activation.js';
import { groupsAlong, meanOf, meanOfSquares, type Groups } from './groups.js';
import { numberField, productOf, required, type Kernel } from './kernel.js';
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
    for (const step of steps) values[start + step] = (values[start + step] ?? 0) - mean;
    if (!useVariance) continue;
    // Of a single element DirectML takes the element for its variance, so that negative ones become NaN.
    const variance = steps.length === 1 && useMean ? mean : meanOfSquares(values, start, steps);
    const deviation = Math.sqrt(variance + epsilon);
    for (const step of steps) values[start + step] = (values[start + step] ?? 0) / deviation;
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
  for (let i = 0; i < values.length; i++) values[i] = (values[i] ?? 0) * (factors?.[i] ?? 1) + (addends?.[i] ?? 0);
}

/** input / (bias + alpha / localSize * Σ input²)^beta, the sum over the elements around it. */
export const localResponseNormalization: Kernel = (operator, inputs, outputs) => {
  const input = required(inputs, 0);
  const values = viewNumbers(input);
  const bases = localBases(operator, values, input.sizes);
  const beta = Math.fround(numberField(operator, 'beta'));
  for (let i = 0; i < bases.length; i++) bases[i] = (values[i] ?? 0) / power(bases[i] ?? 0, beta);
  writeNumbers(required(outputs, 0), bases);
};

export const localResponseNormalizationGrad: Kernel = (operator, inputs, outputs) => {
  const input = required(inputs, 0);
  const values = readNumbers(input);
  const gradients = readNumbers(required(inputs, 1));
  const bases = localBases(operator, values, input.sizes);
  const beta = Math.fround(numberField(operator, 'beta'));
  // What an element's change makes of those around it. Of an even `localSize` those that it is around of would be
  // others; DirectML makes no difference.
  const shares = values.map((x, i) => (x * (gradients[i] ?? 0)) / power(bases[i] ?? 0, beta + 1));
  const sums = sumsAround(operator, shares, input.sizes);
  const factor = 2 * beta * factorOf(operator);
  for (let i = 0; i < values.length; i++) {
    values[i] = (gradients[i] ?? 0) / power(bases[i] ?? 0, beta) - factor * (values[i] ?? 0) * (sums[i] ?? 0);
  }
  writeNumbers(required(outputs, 0), values);
};

function localBases(operator: ResolvedOperator, values: Float64Array | Float32Array, sizes: readonly number[]): Float64Array {
  const factor = factorOf(operator);
  const bias = Math.fround(numberField(operator, 'bias'));
  const squares = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) squares[i] = (values[i] ?? 0) * (values[i] ?? 0);
  const bases = sumsAround(operator, squares, sizes);
  for (let i = 0; i < bases.length; i++) bases[i] = bias + factor * (bases[i] ?? 0);
  return bases;
}

/** By `localSize`, in the plane too, where up to its square are summed. */
function factorOf(operator: ResolvedOperator): number {
  return Math.fround(numberField(operator, 'alpha')) / numberField(operator, 'localSize');
}

/** By logarithms, as DirectML does, for which a negative base is NaN. */
function power(base: number, exponent: number): number {
  return base < 0 ? NaN : base ** exponent;
}

/** For each element the sum of those around it: of an even number one more comes after it than before it. */
function sumsAround(operator: ResolvedOperator, values: Float64Array, sizes: readonly number[]): Float64Array {
  const window = numberField(operator, 'localSize');
  const start = Math.floor((window - 1) / 2);
  const axes = operator.fields['crossChannel'] === true ? [1] : [2, 3];
  return axes.reduce((sums, axis) => {
    const [size = 1, inner] = [sizes[axis], productOf(sizes, axis + 1)];
    return sumsAlong(sums, windowsAlong(size, size, { window, start, stride: 1, dilation: 1 }), inner);
  }, values);
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
    const norm = Math.sqrt(square + epsilon);
    for (const step of steps) values[start + step] = (values[start + step] ?? 0) / norm;
  }
  writeNumbers(required(outputs, 0), values);
};
