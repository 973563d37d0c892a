/** Compares the outputs of two backends. */
import { isFloat, bitsOf } from '../../tensors/data-types.js';
import { UsageError, type Arguments } from '../command.js';
import type { Output } from './execute.js';

export interface Comparison {
  readonly name: string;
  readonly count: number;
  /** How many elements are equal; any NaN is equal to any other, and the zeros are equal. */
  readonly equal: number;
  /** The largest difference, relative to the largest finite magnitude of the output; 0 for integers. */
  readonly largest: number;
  readonly tolerance: number;
  /** The element with the largest difference, or the first with an infinite one; null if all are equal, or the sizes are not. */
  readonly worst: { readonly element: number; readonly expected: number | bigint; readonly given: number | bigint } | null;
  /** True if no difference is larger than the tolerance. */
  readonly isNear: boolean;
}

/**
 * The largest difference that counts as the same result: DirectML may sum in any order, and its functions are not rounded
 * correctly. `conformance` has tolerances per operator, with their reasons.
 */
function toleranceFor({ dataType }: Output, given: number | undefined): number {
  if (!isFloat(dataType)) return 0;
  return given ?? (bitsOf(dataType) === 16 ? 1e-2 : 1e-4);
}

/** The option `--tolerance`. */
export function toleranceOf(given: Arguments): number | undefined {
  const text = given.valueOf('tolerance');
  if (text === undefined) return undefined;
  if (!given.has('compare')) throw new UsageError('--tolerance needs --compare');
  const tolerance = Number(text);
  if (!(tolerance >= 0)) throw new UsageError(`--tolerance is a number of at least 0, not '${text}'`);
  return tolerance;
}

export function compareOutputs(expected: readonly Output[], given: readonly Output[], tolerance?: number): Comparison[] {
  return expected.map((output) => {
    const other = given.find(({ name }) => name === output.name);
    const elements = other?.sizes.join() === output.sizes.join() ? other.elements : null;
    return compareOutput(output, elements, toleranceFor(output, tolerance));
  });
}

/** @param given Null if there is none with the same sizes. */
function compareOutput({ name, elements }: Output, given: Output['elements'] | null, tolerance: number): Comparison {
  const scale = largestMagnitude(elements);
  let [equal, largest, worst]: [number, number, Comparison['worst']] = [0, given === null ? Infinity : 0, null];
  for (const [element, value] of elements.entries()) {
    const other = given?.[element] ?? NaN;
    const difference = differenceOf(value, other, scale);
    if (difference === 0) equal += 1;
    if (difference > largest) [largest, worst] = [difference, { element, expected: value, given: other }];
  }
  return { name, count: elements.length, equal, largest, tolerance, worst, isNear: largest <= tolerance };
}

/** Infinite if only one of the two is NaN or infinite, and for integers that differ. */
function differenceOf(a: number | bigint, b: number | bigint, scale: number): number {
  if (a === b) return 0;
  if (typeof a === 'bigint' || typeof b === 'bigint') return Infinity;
  if (Number.isNaN(a) && Number.isNaN(b)) return 0;
  const difference = Math.abs(a - b) / scale;
  return Number.isFinite(difference) ? difference : Infinity;
}

function largestMagnitude(elements: readonly (number | bigint)[]): number {
  let largest = 0;
  for (const element of elements) {
    const magnitude = Math.abs(Number(element));
    if (Number.isFinite(magnitude) && magnitude > largest) largest = magnitude;
  }
  return largest === 0 ? 1 : largest;
}
