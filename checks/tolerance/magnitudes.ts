/** Helpers to compute the magnitudes of results in which terms cancel, for their tolerances. */
import type { TensorDesc } from 'node-directml';
import { packedStrides } from '#lib/tensors/tensor-size.js';
import { fromBase64, type ConformanceCase } from '../cases/case.js';
import { offsetOf, product } from '../cases/layout.js';
import { numbersOf } from './elements.js';

/** The elements of an input; for an absent input, a single element with the value `absent`. */
export function inputOf(
  { data }: ConformanceCase,
  name: string,
  tensor: TensorDesc | null | undefined,
  absent = 0,
): Float64Array {
  const bytes = data[name];
  if (tensor === null || tensor === undefined || typeof bytes !== 'string') return Float64Array.of(absent);
  return numbersOf(tensor, fromBase64(bytes));
}

/**
 * For each element of a tensor with `sizes`, the index of the element that it broadcasts from a tensor with the sizes `shorter`.
 */
export function placesIn(sizes: readonly number[], shorter: readonly number[]): Uint32Array {
  const strides = packedStrides(shorter).map((stride, axis) => (shorter[axis] === 1 ? 0 : stride));
  return Uint32Array.from({ length: product(sizes) }, (_, element) => offsetOf({ sizes, strides }, element));
}

/** An input broadcast to `sizes`; an absent input is `absent` everywhere. */
export function repeated(
  test: ConformanceCase,
  name: string,
  tensor: TensorDesc | null | undefined,
  sizes: readonly number[],
  absent = 0,
): Float64Array {
  const values = inputOf(test, name, tensor, absent);
  return Float64Array.from(placesIn(sizes, tensor?.sizes ?? []), (place) => values[place] ?? absent);
}

/** The sum of the values in each of `count` groups; `places` gives the group of each element. */
export function sumsBy(places: Uint32Array, count: number, value: (element: number) => number): Float64Array {
  const sums = new Float64Array(count);
  places.forEach((place, element) => (sums[place] = (sums[place] ?? 0) + value(element)));
  return sums;
}

/** Statistics with one value per group of elements. */
interface Statistics {
  readonly mean: Float64Array;
  readonly meanMagnitude: Float64Array;
  readonly variance: Float64Array;
}

/** `places` gives the group, out of `count`, of each element. Without `useMean`, the mean counts as 0. */
export function statisticsOf(values: Float64Array, places: Uint32Array, count: number, useMean = true): Statistics {
  const terms = values.length / count;
  const meanOf = (value: (element: number) => number) => sumsBy(places, count, value).map((sum) => sum / terms);
  const mean = useMean ? meanOf((i) => values[i] ?? 0) : new Float64Array(count);
  const meanMagnitude = useMean ? meanOf((i) => Math.abs(values[i] ?? 0)) : mean;
  return { mean, meanMagnitude, variance: meanOf((i) => ((values[i] ?? 0) - (mean[places[i] ?? 0] ?? 0)) ** 2) };
}
