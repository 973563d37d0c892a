/**
 * Sums of pooling windows as DirectML computes them. It adds element after element in float32, and may overflow on the way. If
 * that cannot happen, the sums are computed in float64.
 */
import { SAFE_MAGNITUDE } from './float32-range.js';
import { sumsOfWindows, windowSums, type Windows } from './pooling-windows.js';
import { productOf } from '../../../validation/tensor-size.js';

type Floats = Float64Array | Float32Array;

/** The sum of each output element's window, in row-major order. */
export function floatSums(values: Floats, windows: readonly Windows[]): Float64Array {
  return mayOverflow(values, windows) ? windowSumsInOrder(values, windows) : windowSums(values, windows);
}

/**
 * The sum of each output element's window with every step rounded to float32, whatever the values: for results whose last bit
 * matters.
 */
export function windowSumsInOrder(values: Floats, windows: readonly Windows[]): Float64Array {
  const ways = windows.map(({ size, places, stride, taps }): Way => {
    const runs = taps.map(({ place, element, count }): Run => ({ from: element, fromStep: stride, to: place, toStep: 1, count }));
    return { sourceSize: size, targetSize: places, runs };
  });
  return sumsInOrder(values, ways);
}

/** For each image element, the sum of the values of all windows that it lies in, in row-major order of the windows. */
export function floatSumsOfWindows(values: Float64Array, windows: readonly Windows[]): Float64Array {
  if (!mayOverflow(values, windows)) return sumsOfWindows(values, windows);
  const ways = windows.map(({ size, places, stride, taps }): Way => {
    const runs = taps.map(({ place, element, count }): Run => ({ from: place, fromStep: 1, to: element, toStep: stride, count }));
    // An element is the last tap of the first window that it lies in, so the taps are taken in reverse.
    return { sourceSize: places, targetSize: size, runs: runs.toReversed() };
  });
  return sumsInOrder(values, ways);
}

function mayOverflow(values: Floats, windows: readonly Windows[]): boolean {
  const limit = SAFE_MAGNITUDE / productOf(windows.map(({ taps }) => taps.length));
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0;
    if (value > limit || value < -limit) return true;
  }
  return false;
}

/** How elements are added to sums along one dimension: run after run. */
interface Way {
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

function sumsInOrder(values: Floats, ways: readonly Way[]): Float64Array {
  const source = productOf(ways.map(({ sourceSize }) => sourceSize));
  const target = productOf(ways.map(({ targetSize }) => targetSize));
  const sums = new Float32Array((values.length / source) * target);
  for (let from = 0, to = 0; to < sums.length; from += source, to += target) addRuns(values, from, ways, sums, to);
  return Float64Array.from(sums);
}

/** Adds one plane, which begins at `from`, to the sums from `to` on. The first element of `ways` is the outermost dimension. */
function addRuns(values: Floats, from: number, [way, ...inner]: readonly Way[], sums: Float32Array, to: number): void {
  if (way === undefined) {
    sums[to] = (sums[to] ?? 0) + (values[from] ?? 0);
    return;
  }
  const source = productOf(inner.map(({ sourceSize }) => sourceSize));
  const target = productOf(inner.map(({ targetSize }) => targetSize));
  for (const run of way.runs) {
    for (let i = 0; i < run.count; i++) {
      addRuns(values, from + (run.from + i * run.fromStep) * source, inner, sums, to + (run.to + i * run.toStep) * target);
    }
  }
}
