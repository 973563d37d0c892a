/** Compares results with those of formulas, in the metrics of the web platform tests. */
import { leastNormalFloat32 } from '#lib/tensors/data-types.js';
import { figure } from '../conformance/print.js';
import { afterLargest, isFloatType, roundTo, stepsBetween, unitAt } from './elements.js';
import type { Element, PlainTensor } from './plain-tensor.js';

/**
 * - `exact`: the same bits, except that any NaN equals any other.
 * - `ulp`: the difference in units in the last place of the exact result, or of its largest term if terms cancel. (The numbers of
 *   the web platform tests do not cancel.) Both zeros are equal.
 * - `absolute`: the difference, divided by the scale if that is above 1.
 */
export interface Tolerance {
  readonly metric: 'exact' | 'ulp' | 'absolute';
  readonly value: number;
}

export interface Comparison {
  /** The largest deviation, in the tolerance's metric. */
  readonly worst: number;
  /** The first element that differs, and the number of such elements; null if there is none. */
  readonly mismatch: string | null;
  /** The number of elements that are right only if subnormal float32 count as 0. */
  readonly flushed: number;
}

/** `flushed` is the formula's result if subnormal float32 inputs count as 0, which Direct3D allows. */
export function compare(expected: PlainTensor, flushed: PlainTensor, actual: PlainTensor, tolerance: Tolerance): Comparison {
  let [worst, differing, flushes] = [0, 0, 0];
  let first: string | null = null;
  for (const [i, given] of actual.data.entries()) {
    const allowed = allowedOf(expected, tolerance);
    const own = deviation(expected, i, given, tolerance);
    const deviations =
      own <= allowed ? [own] : [own, deviation(flushed, i, given, tolerance), zeroed(expected, i, given, allowed)];
    const least = Math.min(...deviations);
    if (own > allowed && least <= allowed) flushes++;
    if (least <= allowed) worst = Math.max(worst, least);
    else if (++differing === 1)
      first = `[${i}]: expected ${wordsOf(expected, i)}, given ${textOf(given)}, off by ${figure(least)}`;
  }
  return {
    worst,
    flushed: flushes,
    mismatch: first === null ? null : `${first} (${differing} of ${actual.data.length} elements)`,
  };
}

function allowedOf({ dataType }: PlainTensor, { metric, value }: Tolerance): number {
  return metric === 'ulp' && !isFloatType(dataType) ? Math.floor(value) : value;
}

function deviation(expected: PlainTensor, index: number, given: Element, tolerance: Tolerance): number {
  const also = expected.also?.get(index);
  if (also === 'any') return 0;
  const isRange = also !== undefined && 'from' in also;
  if (isRange && given >= also.from && given <= also.to) return 0;
  const scale = expected.scale?.[index] ?? 0;
  const results = [expected.data[index] ?? NaN, ...(isRange ? [] : (also ?? []))];
  return Math.min(...results.map((result) => distance(expected, result, given, scale, tolerance)));
}

function distance({ dataType }: PlainTensor, exact: Element, given: Element, scale: number, { metric }: Tolerance): number {
  if (typeof exact === 'bigint' || typeof given === 'bigint') return Math.abs(Number(BigInt(exact) - BigInt(given)));
  if (!isFloatType(dataType)) return Math.abs(exact - given);
  const rounded = roundTo(dataType, exact);
  if (Object.is(rounded, given)) return 0;
  if (metric === 'exact' || Number.isNaN(rounded) || Number.isNaN(given)) return Infinity;
  if (rounded === given) return 0;
  if (metric === 'absolute') return Math.abs(exact - given) / Math.max(1, scale);
  if (!Number.isFinite(exact)) return Infinity;
  // As in the web platform tests, infinity is one step from the largest number: 65504 is accepted for a float16 that overflows.
  if (!Number.isFinite(rounded)) return stepsBetween(dataType, rounded, given);
  const number = Number.isFinite(given) ? given : Math.sign(given) * afterLargest(dataType);
  const units = Math.abs(exact - number) / unitAt(dataType, Math.max(Math.abs(exact), scale));
  return scale > Math.abs(exact) ? units : Math.min(units, stepsBetween(dataType, rounded, given));
}

/** Returns a deviation of 0 for a result of 0 whose exact value is below the normal float32 numbers, else Infinity. */
function zeroed(expected: PlainTensor, index: number, given: Element, allowed: number): number {
  const exact = expected.data[index];
  if (expected.dataType !== 'float32' || typeof exact !== 'number' || given !== 0) return Infinity;
  return Math.abs(exact) < leastNormalFloat32 * (1 + (allowed * unitAt('float32', 1)) / 2) ? 0 : Infinity;
}

function wordsOf(expected: PlainTensor, index: number): string {
  const value = expected.data[index] ?? NaN;
  const also = expected.also?.get(index);
  const others = Array.isArray(also) ? also.map((other: Element) => ` or ${textOf(other)}`).join('') : '';
  const nearest = typeof value === 'number' && isFloatType(expected.dataType) ? roundTo(expected.dataType, value) : value;
  return `${textOf(value)}${Object.is(nearest, value) ? '' : ` (${textOf(nearest)})`}${others}`;
}

function textOf(value: Element): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Replaces subnormal float32 elements with 0. */
export function withoutSubnormals(tensor: PlainTensor): PlainTensor {
  if (tensor.dataType !== 'float32') return tensor;
  const flushed = tensor.data.map(Number).map((x) => (Math.abs(x) < leastNormalFloat32 ? Math.sign(x) * 0 : x));
  return { ...tensor, data: flushed };
}
