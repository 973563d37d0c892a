/**
 * The K largest or smallest elements along an axis, with their indices; of equal ones the first first. NaN is neither,
 * and where it ends depends on what it is compared with: so where there is one, the elements are merged as DirectML merges
 * them.
 */
import { packedStrides } from '../../../validation/tensor-size.js';
import { hasNaN } from '../compute/numbers.js';
import { moveElements, readBigInts, readNumbers, writeBigInts, writeNumbers } from '../compute/tensor-view.js';
import { sumTerms, termsByAxis } from '../compute/element-map.js';
import type { Kernel } from './kernel.js';

const top: Kernel<'topK' | 'topK1'> = (
  operator,
  { inputTensor: input, outputValueTensor: values, outputIndexTensor: indices },
) => {
  const { axis, k } = operator;
  const size = input.sizes[axis] ?? 1;
  const stride = packedStrides(input.sizes)[axis] ?? 1;
  const outputStride = packedStrides(values.sizes)[axis] ?? 1;
  const numbers = input.wordsPerElement === 2 ? readBigInts(input) : readNumbers(input);
  const staysFirst = orderOf(numbers, 'axisDirection' in operator && operator.axisDirection === 'increasing');
  const sort = hasNaN(numbers) ? mergeSort : selectFirst;

  const sequences = input.sizes.with(axis, 1);
  const keep = (coordinate: number) => coordinate;
  const inputRows = sumTerms(termsByAxis(sequences, input.sizes, keep));
  const outputRows = sumTerms(termsByAxis(sequences, values.sizes, keep));
  const found = new Float64Array(indices.elementCount);
  inputRows.forEach((row, sequence) => {
    const order = sort(size, k, (a, b) => staysFirst(row + a * stride, row + b * stride));
    for (let i = 0; i < k; i++) {
      const to = (outputRows[sequence] ?? 0) + i * outputStride;
      const index = order[i] ?? 0;
      moveElements(input, row + index * stride, values, to, 1);
      found[to] = index;
    }
  });
  if (indices.wordsPerElement === 2)
    writeBigInts(
      indices,
      BigInt64Array.from(found, (index) => BigInt(index)),
    );
  else writeNumbers(indices, found);
};

/** Whether the earlier of two elements goes first. Beside a NaN it does not. */
type StaysFirst = (earlier: number, later: number) => boolean;

type Numbers = Float64Array | BigInt64Array | BigUint64Array;

function orderOf(numbers: Numbers, isIncreasing: boolean): StaysFirst {
  return isIncreasing ? (a, b) => (numbers[a] ?? 0) <= (numbers[b] ?? 0) : (a, b) => (numbers[a] ?? 0) >= (numbers[b] ?? 0);
}

/**
 * The first `k` of the numbers below `size` in that order. To find few there is no need to sort all: what goes behind
 * `k` others is left out, and what is left is sorted and cut off as often as there are twice as many.
 */
function selectFirst(size: number, k: number, staysFirst: StaysFirst): number[] {
  const compare = (a: number, b: number) => ((a < b ? staysFirst(a, b) : !staysFirst(b, a)) ? -1 : 1);
  const selected: number[] = [];
  let last: number | undefined;
  for (let i = 0; i < size; i++) {
    if (last !== undefined && staysFirst(last, i)) continue;
    selected.push(i);
    if (selected.length < 2 * k) continue;
    selected.sort(compare).length = k;
    last = selected[k - 1];
  }
  return selected.sort(compare);
}

/** More elements than this are merged by several threads, each of which finds where its piece begins. */
const ONE_THREAD = 256;
const PIECE = 16;

/** The numbers below `size` in order: runs of one, of two, of four and so on, each merged with the next. */
function mergeSort(size: number, _k: number, staysFirst: StaysFirst): Uint32Array {
  const piece = size > ONE_THREAD ? PIECE : ONE_THREAD;
  let runs = Uint32Array.from({ length: size }, (_, i) => i);
  let merged = new Uint32Array(size);
  for (let width = 1; width < size; width *= 2) {
    for (let start = 0; start < size; start += 2 * width) {
      const first = runs.subarray(start, start + width);
      const second = runs.subarray(start + width, start + 2 * width);
      const into = merged.subarray(start, start + first.length + second.length);
      for (let from = 0; from < into.length; from += piece)
        mergePiece(first, second, into.subarray(0, from + piece), from, staysFirst);
    }
    [runs, merged] = [merged, runs];
  }
  return runs;
}

/** Fills `into` from `from` on. */
function mergePiece(first: Uint32Array, second: Uint32Array, into: Uint32Array, from: number, staysFirst: StaysFirst): void {
  const goesFirst = (i: number, j: number) => staysFirst(first[i] ?? 0, second[j] ?? 0);
  let i = takenBefore(from, first.length, second.length, goesFirst);
  for (let to = from; to < into.length; to++) {
    const j = to - i;
    const isFirst = j >= second.length || (i < first.length && goesFirst(i, j));
    into[to] = (isFirst ? first[i] : second[j]) ?? 0;
    if (isFirst) i++;
  }
}

/** How many of the first `count` merged elements are from the first run: found by bisection, which NaN leads astray. */
function takenBefore(count: number, first: number, second: number, goesFirst: (i: number, j: number) => boolean): number {
  let [low, high] = [Math.max(0, count - second), Math.min(first, count)];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (goesFirst(middle, count - 1 - middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const topK = top;
export const topK1 = top;
