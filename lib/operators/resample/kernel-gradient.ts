/**
 * Gradients of resampling, in DirectML's order of float32 steps. Each output element adds up its weighted share of the gradients
 * around it, in row-major order.
 */
import { viewNumbers, writeTruncated } from '../../compute/tensor-view.js';
import type { Kernel } from '../../compute/kernel.js';
import { axesOf, halfUp, isLinear, position, roundingOf, type Axis, type Rounding } from '../../compute/sampling.js';

/**
 * Along one dimension, the gradients that each element takes a share of (from `starts[i]` up to `starts[i + 1]`), and their
 * weights.
 */
interface AxisGradients {
  /** The number of gradients. */
  readonly size: number;
  readonly starts: Uint32Array;
  readonly gradients: Uint32Array;
  readonly weights: Float32Array;
}

/** DirectML swaps input and output pixel offsets here. */
export const resampleGrad: Kernel<'resampleGrad' | 'resampleGrad1'> = (operator, tensors) => {
  const { inputGradientTensor: input, outputGradientTensor: output } = tensors;
  const rounding = isLinear(operator) ? null : roundingOf(operator, input);
  const values = viewNumbers(input);
  const axes = axesOf(operator).map((forward, i) => {
    const axis = { ...forward, inputPixelOffset: forward.outputPixelOffset, outputPixelOffset: forward.inputPixelOffset };
    if (rounding === halfUp) return nearestGradientsAlong(axis, input.sizes[i] ?? 1, output.sizes[i] ?? 1);
    const along = gradientsAlong(axis, input.sizes[i] ?? 1, output.sizes[i] ?? 1, rounding, i === LOOPED_AXIS);
    return i === LOOPED_AXIS && rounding === null && !areFinite(values) ? along : withoutZeros(along);
  });
  const sums = new Float32Array(output.elementCount);
  sumShares(values, axes, sums);
  writeTruncated(output, sums);
};
export const resampleGrad1 = resampleGrad;

/** Only along the last of four dimensions does a thread compute several elements. It goes through their gradients once. */
const LOOPED_AXIS = 3;
const PER_THREAD = 4;

/**
 * DirectML goes through the gradients from the one at or before the previous element up to the one before the next element. It
 * accumulates their positions: the first is computed, and each further one is the previous one plus the reciprocal of the scale.
 * Along the looped dimension gradients of weight 0 count too, so that infinite ones give NaN; along others they do not.
 */
function gradientsAlong(
  axis: Axis,
  size: number,
  outputSize: number,
  rounding: Rounding | null,
  isLooped: boolean,
): AxisGradients {
  const perThread = isLooped ? PER_THREAD : 1;
  const at = position(axis);
  const starts = new Uint32Array(outputSize + 1);
  const [gradients, weights]: [number[], number[]] = [[], []];
  for (let i = 0; i < outputSize; i++) {
    const from = firstAround(axis, i);
    const to = i === outputSize - 1 ? size : Math.min(size, Math.ceil(gradientAt(axis, i + 1)));
    let gradient = firstAround(axis, i - (i % perThread));
    for (let coordinate = at(gradient); gradient < to; gradient++, coordinate = Math.fround(coordinate + axis.reciprocal)) {
      if (gradient < from) continue;
      const weight = weightOf(Math.min(Math.max(rounding === null ? coordinate : rounding(coordinate), 0), outputSize - 1), i);
      gradients.push(gradient);
      weights.push(weight);
    }
    starts[i + 1] = gradients.length;
  }
  return { size, starts, gradients: Uint32Array.from(gradients), weights: Float32Array.from(weights) };
}

/**
 * Without a rounding direction, DirectML determines where elements begin and end among the gradients, not where the gradients
 * lie.
 */
function nearestGradientsAlong(axis: Axis, size: number, outputSize: number): AxisGradients {
  const starts = Uint32Array.from({ length: outputSize + 1 }, (_, i) => {
    const begin = Math.min(Math.max(Math.ceil(gradientAt(axis, i - 0.5)), 0), size);
    return i === 0 ? 0 : i === outputSize ? size : begin;
  });
  return { size, starts, gradients: Uint32Array.from({ length: size }, (_, i) => i), weights: new Float32Array(size).fill(1) };
}

function areFinite(values: Float32Array | Float64Array): boolean {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i] ?? 0)) return false;
  return true;
}

/** Removes gradients of weight 0. This is right if gradients are finite, or if DirectML skips them. */
function withoutZeros({ size, starts, gradients, weights }: AxisGradients): AxisGradients {
  const left = new Uint32Array(weights.length + 1);
  for (let i = 0; i < weights.length; i++) left[i + 1] = (left[i] ?? 0) + (weights[i] === 0 ? 0 : 1);
  return {
    size,
    starts: starts.map((start) => left[start] ?? 0),
    gradients: gradients.filter((_, i) => weights[i] !== 0),
    weights: weights.filter((weight) => weight !== 0),
  };
}

function firstAround(axis: Axis, element: number): number {
  return element === 0 ? 0 : Math.max(0, Math.floor(gradientAt(axis, element - 1)));
}

/** The coordinate that a gradient would have if it lay on the element. */
function gradientAt({ scale, inputPixelOffset, outputPixelOffset }: Axis, element: number): number {
  return Math.fround(Math.fround(Math.fround(element + inputPixelOffset) * scale) + outputPixelOffset);
}

/** The weight of an element for a position that is less than 1 away from it; else 0. */
function weightOf(coordinate: number, element: number): number {
  const low = Math.floor(coordinate);
  const second = Math.fround(coordinate - low);
  return element === low ? Math.fround(1 - second) : element === low + 1 ? second : 0;
}

function sumShares(values: Float32Array | Float64Array, axes: readonly AxisGradients[], sums: Float32Array): void {
  let next = 0;
  const descend = (axis: number, lines: readonly number[], shares: readonly number[]): void => {
    const along = axes[axis];
    if (along === undefined) throw new TypeError('there is no such dimension');
    if (axis === axes.length - 1) {
      addLines(
        values,
        along,
        lines.map((line) => line * along.size),
        shares,
        sums,
        next,
      );
      next += along.starts.length - 1;
      return;
    }
    for (let i = 0; i + 1 < along.starts.length; i++) {
      const [innerLines, innerShares]: [number[], number[]] = [[], []];
      for (const [k, line] of lines.entries()) {
        for (let t = along.starts[i] ?? 0; t < (along.starts[i + 1] ?? 0); t++) {
          innerLines.push(line * along.size + (along.gradients[t] ?? 0));
          innerShares.push(Math.fround((shares[k] ?? 0) * (along.weights[t] ?? 0)));
        }
      }
      descend(axis + 1, innerLines, innerShares);
    }
  };
  descend(0, [0], [1]);
}

/** Computes one line of the output from the given lines of gradients. */
function addLines(
  values: Float32Array | Float64Array,
  { starts, gradients, weights }: AxisGradients,
  lines: readonly number[],
  shares: readonly number[],
  sums: Float32Array,
  to: number,
): void {
  for (let i = 0; i + 1 < starts.length; i++) {
    const [first, end] = [starts[i] ?? 0, starts[i + 1] ?? 0];
    let sum = 0;
    for (let k = 0; k < lines.length; k++) {
      const [line, share] = [lines[k] ?? 0, shares[k] ?? 0];
      for (let t = first; t < end; t++) {
        const weight = Math.fround(share * (weights[t] ?? 0));
        sum = Math.fround(sum + Math.fround((values[line + (gradients[t] ?? 0)] ?? 0) * weight));
      }
    }
    sums[to + i] = sum;
  }
}
