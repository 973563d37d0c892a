/**
 * Reductions. Floats are summed in float64 and rounded once; integers wrap around. The indices of argmin and argmax count along
 * the reduced axes only, in row-major order.
 */
import { isFloat, isWide, wideRangeOf } from '../../tensors/data-types.js';
import { byBlocks } from '../../compute/blocks.js';
import { hasNaN } from '../../compute/numbers.js';
import {
  packedFloats,
  readBigInts,
  readNumbers,
  viewNumbers,
  writeBigInts,
  writeNumbers,
  type TensorView,
} from '../../compute/tensor-view.js';
import { extremeAmongNaN } from '../../compute/extreme-among-nan.js';
import { keyOf, readKeys, writeIndices, writeKeys } from '../../compute/integers.js';
import { groupsAlong, type Groups } from '../../compute/groups.js';
import type { InputAndOutput, Kernel } from '../../compute/kernel.js';
import { packedStrides, productOf } from '../../tensors/tensor-size.js';
import { floatFunctions, int32Functions, int64Functions } from '../../compute/reduce-functions.js';

const reduceBlock: Kernel<'reduce'> = ({ function: name, axes }, { inputTensor: input, outputTensor: output }) => {
  const groups = groupsOf(axes, input.sizes);
  if (name === 'argmax' || name === 'argmin') {
    writeIndices(output, extremes(input, groups, name === 'argmax', true));
  } else if (name === 'max' || name === 'min') {
    writeExtremes(input, output, groups, name === 'max');
  } else {
    writeFolds(input, output, groups, areAdjacent(axes, input.whole.sizes), name);
  }
};

export const reduce: Kernel<'reduce'> = byBlocks(
  reduceBlock,
  ({ axes }) => axes,
  (_operator, tensors) => hasLittle(tensors),
);

/** True if the input is read where it lies, and the lists of its groups are short. */
function hasLittle({ inputTensor: input, outputTensor: output }: InputAndOutput): boolean {
  const groups = output.elementCount;
  return packedFloats(input) !== null && 3 * groups + input.elementCount / groups < input.elementCount / 8;
}

const argReduction: Kernel<'argmin' | 'argmax'> = byBlocks(
  ({ type, axes, axisDirection }, { inputTensor: input, outputTensor }) => {
    const groups = groupsOf(axes, input.sizes);
    writeIndices(outputTensor, extremes(input, groups, type === 'argmax', axisDirection === 'increasing'));
  },
  ({ axes }) => axes,
  (_operator, tensors) => hasLittle(tensors),
);

export const argmin = argReduction;
export const argmax = argReduction;

/** The input elements that each output element is reduced from. */
function groupsOf(axes: readonly number[], sizes: readonly number[]): Groups {
  const reduced = new Set(axes);
  return groupsAlong(sizes, (axis) => reduced.has(axis));
}

/** True if the elements of each group are adjacent in row-major order. */
function areAdjacent(axes: readonly number[], sizes: readonly number[]): boolean {
  const strides = packedStrides(sizes);
  const last = axes.reduce((sum, axis) => sum + ((sizes[axis] ?? 1) - 1) * (strides[axis] ?? 1), 0);
  return last === productOf(axes.map((axis) => sizes[axis] ?? 1)) - 1;
}

function writeFolds(input: TensorView, output: TensorView, groups: Groups, isRun: boolean, name: string): void {
  const { first, steps } = groups;
  if (isFloat(input.dataType)) {
    const values = viewNumbers(input);
    const fold = named(floatFunctions, name);
    const results = new Float64Array(first.length);
    for (let i = 0; i < first.length; i++) results[i] = fold(values, first[i] ?? 0, steps, isRun);
    writeNumbers(output, results);
  } else if (isWide(input.dataType)) {
    const values = readBigInts(input);
    const fold = named(int64Functions, name);
    writeBigInts(output, BigInt64Array.from(Array.from(first, (element) => fold(values, element, steps))));
  } else {
    const values = new Int32Array(readNumbers(input));
    const fold = named(int32Functions, name === 'l1' && input.dataType === 'uint32' ? 'sum' : name);
    writeNumbers(
      output,
      Float64Array.from(first, (element) => fold(values, element, steps)),
    );
  }
}

function named<Fold>(functions: Readonly<Record<string, Fold>>, name: string): Fold {
  const fold = functions[name];
  if (fold === undefined) throw new TypeError(`reduce has no function ${name} of this data type`);
  return fold;
}

/** For each group, the position of its largest or smallest element: the first or the last of equal ones. */
function extremes(input: TensorView, { first, steps }: Groups, largest: boolean, isFirst: boolean): Uint32Array {
  const values = isWide(input.dataType) ? readKeys(input) : viewNumbers(input);
  const positionOf = largest ? firstLargest : firstSmallest;
  const positions = new Uint32Array(first.length);
  if (!(values instanceof BigInt64Array || values instanceof BigUint64Array) && hasNaN(values)) {
    return positions.map((_, group) => {
      const start = first[group] ?? 0;
      return extremeAmongNaN(steps.length, (i) => values[start + (steps[i] ?? 0)] ?? 0, { largest, isFirst });
    });
  }
  for (let group = 0; group < first.length; group++) {
    const start = first[group] ?? 0;
    const position = positionOf(values, start, steps);
    positions[group] = isFirst ? position : lastEqual(values, start, steps, position);
  }
  return positions;
}

type Comparable = Float32Array | Float64Array | BigInt64Array | BigUint64Array;

function firstLargest(values: Comparable, start: number, steps: Uint32Array): number {
  let record = values[start] ?? 0;
  let best = 0;
  for (let position = 1; position < steps.length; position++) {
    const value = values[start + (steps[position] ?? 0)] ?? 0;
    if (value > record) {
      record = value;
      best = position;
    }
  }
  return best;
}

/** A loop of its own: looking up the direction for each element would take half as long again. */
function firstSmallest(values: Comparable, start: number, steps: Uint32Array): number {
  let record = values[start] ?? 0;
  let best = 0;
  for (let position = 1; position < steps.length; position++) {
    const value = values[start + (steps[position] ?? 0)] ?? 0;
    if (value < record) {
      record = value;
      best = position;
    }
  }
  return best;
}

/** The last position of an element that equals the one at `position`. NaN equals nothing. */
function lastEqual(values: Comparable, start: number, steps: Uint32Array, position: number): number {
  const record = values[start + (steps[position] ?? 0)];
  for (let last = steps.length - 1; last > position; last--) {
    if (values[start + (steps[last] ?? 0)] === record) return last;
  }
  return position;
}

/**
 * NaN is skipped. If there is nothing else, the result is the infinity that the shader starts with. With 64-bit integers it starts
 * with the least or the greatest one, whose key is not the least or the greatest of INT64.
 */
function writeExtremes(input: TensorView, output: TensorView, groups: Groups, largest: boolean): void {
  const { first, steps } = groups;
  if (isWide(input.dataType)) {
    const keys = readKeys(input);
    const { low, high } = wideRangeOf(input.dataType);
    const start = keyOf(largest ? low : high, input);
    const results = Array.from(extremes(input, groups, largest, true), (position, i) => {
      const key = keys[(first[i] ?? 0) + (steps[position] ?? 0)] ?? start;
      return key > start === largest ? key : start;
    });
    writeKeys(output, BigInt64Array.from(results));
    return;
  }
  const values = viewNumbers(input);
  const results = new Float64Array(first.length);
  for (let group = 0; group < first.length; group++) {
    const start = first[group] ?? 0;
    let best = largest ? -Infinity : Infinity;
    for (let i = 0; i < steps.length; i++) {
      const value = values[start + (steps[i] ?? 0)] ?? 0;
      if (largest ? value > best : value < best) best = value;
    }
    results[group] = best;
  }
  writeNumbers(output, results);
}
