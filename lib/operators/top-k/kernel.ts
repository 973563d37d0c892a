/**
 * The K largest or smallest elements along an axis, with their indices; equal elements keep their order. NaN is neither larger
 * nor smaller, and its position in the result depends on what it is compared with. So if there is a NaN, elements are merged as
 * DirectML merges them.
 */
import { packedStrides } from '../../tensors/tensor-size.js';
import { byBlocks } from '../../compute/blocks.js';
import { readKeys } from '../../compute/integers.js';
import { hasNaN } from '../../compute/numbers.js';
import { moveElements, readNumbers, writeBigInts, writeNumbers } from '../../compute/tensor-view.js';
import { sumTerms, termsByAxis } from '../../compute/element-map.js';
import type { Kernel } from '../../compute/kernel.js';

const top: Kernel<'topK' | 'topK1'> = byBlocks(
  (operator, tensors) => {
    const { inputTensor: input, outputValueTensor: values, outputIndexTensor: indices } = tensors;
    const { axis, k } = operator;
    const size = input.sizes[axis] ?? 1;
    const stride = packedStrides(input.sizes)[axis] ?? 1;
    const outputStride = packedStrides(values.sizes)[axis] ?? 1;
    const numbers = input.wordsPerElement === 2 ? readKeys(input) : readNumbers(input);
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
  },
  ({ axis }) => [axis],
);

/** True if the earlier of two elements goes first; false if one of them is NaN. */
type StaysFirst = (earlier: number, later: number) => boolean;

type Numbers = Float64Array | BigInt64Array | BigUint64Array;

function orderOf(numbers: Numbers, isIncreasing: boolean): StaysFirst {
  return isIncreasing ? (a, b) => (numbers[a] ?? 0) <= (numbers[b] ?? 0) : (a, b) => (numbers[a] ?? 0) >= (numbers[b] ?? 0);
}

/**
 * The first `k` of the indices below `size` in that order. Not all have to be sorted: an index that goes behind `k` others is
 * left out, and the rest is sorted and cut to `k` whenever it has grown to 2 · k.
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

/** More elements than this are merged by several threads. Each merges one piece, and finds where it begins. */
const ONE_THREAD = 256;
const PIECE = 16;

/** All indices below `size` in order: runs of one, of two, of four and so on are each merged with the next. */
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

/** Merges two runs into `into`, from index `from` to its end. */
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

/**
 * The number of elements from the first run among the first `count` merged ones. It is found by bisection, which NaN leads
 * astray.
 */
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
