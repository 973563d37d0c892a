/**
 * Sums of pooling windows as DirectML computes them. It adds element after element in float32, and may overflow on the way. If
 * that cannot happen, the sums are computed in float64.
 */
import { SAFE_MAGNITUDE } from './float32-range.js';
import type { WindowAxis } from './pooling-axes.js';
import { overlapAdd, windowSums } from './pooling-windows.js';
import { productOf } from '../tensors/tensor-size.js';

type Floats = Float64Array | Float32Array;

/** The sum of each output element's window, in row-major order. */
export function windowSumsWithOverflow(values: Floats, axes: readonly WindowAxis[]): Float64Array {
  return mayOverflow(values, axes) ? windowSumsInFloat32(values, axes) : windowSums(values, axes);
}

/**
 * The sum of each output element's window with every step rounded to float32, whatever the values: for results whose last bit
 * matters.
 */
export function windowSumsInFloat32(values: Floats, axes: readonly WindowAxis[]): Float64Array {
  const axisRuns = axes.map(({ imageSize, outputSize, stride, taps }): AxisRuns => {
    const runs = taps.map(({ position, element, count }): Run => ({
      from: element,
      fromStep: stride,
      to: position,
      toStep: 1,
      count,
    }));
    return { sourceSize: imageSize, targetSize: outputSize, runs };
  });
  return addInOrder(values, axisRuns);
}

/** For each image element, the sum of the values of all windows that it lies in, in row-major order of the windows. */
export function overlapAddWithOverflow(values: Float64Array, axes: readonly WindowAxis[]): Float64Array {
  if (!mayOverflow(values, axes)) return overlapAdd(values, axes);
  const axisRuns = axes.map(({ imageSize, outputSize, stride, taps }): AxisRuns => {
    const runs = taps.map(({ position, element, count }): Run => ({
      from: position,
      fromStep: 1,
      to: element,
      toStep: stride,
      count,
    }));
    // An element is the last tap of the first window that it lies in, so the taps are taken in reverse.
    return { sourceSize: outputSize, targetSize: imageSize, runs: runs.toReversed() };
  });
  return addInOrder(values, axisRuns);
}

function mayOverflow(values: Floats, axes: readonly WindowAxis[]): boolean {
  const limit = SAFE_MAGNITUDE / productOf(axes.map(({ taps }) => taps.length));
  for (let i = 0; i < values.length; i++) {
    if (Math.abs(values[i] ?? 0) > limit) return true;
  }
  return false;
}

/** How elements are added to sums along one dimension: run after run. */
interface AxisRuns {
  readonly sourceSize: number;
  readonly targetSize: number;
  readonly runs: readonly Run[];
}

interface Run {
  readonly from: number;
  readonly fromStep: number;
  readonly to: number;
  readonly toStep: number;
  readonly count: number;
}

function addInOrder(values: Floats, axisRuns: readonly AxisRuns[]): Float64Array {
  const source = productOf(axisRuns.map(({ sourceSize }) => sourceSize));
  const target = productOf(axisRuns.map(({ targetSize }) => targetSize));
  const sums = new Float32Array((values.length / source) * target);
  for (let from = 0, to = 0; to < sums.length; from += source, to += target) addRuns(values, from, axisRuns, sums, to);
  return Float64Array.from(sums);
}

/** Adds one plane, which begins at `from`, to the sums from `to` on. The first axis is the outermost dimension. */
function addRuns(values: Floats, from: number, [outermost, ...inner]: readonly AxisRuns[], sums: Float32Array, to: number): void {
  if (outermost === undefined) {
    sums[to] = (sums[to] ?? 0) + (values[from] ?? 0);
    return;
  }
  const source = productOf(inner.map(({ sourceSize }) => sourceSize));
  const target = productOf(inner.map(({ targetSize }) => targetSize));
  for (const run of outermost.runs) {
    for (let i = 0; i < run.count; i++) {
      addRuns(values, from + (run.from + i * run.fromStep) * source, inner, sums, to + (run.to + i * run.toStep) * target);
    }
  }
}
