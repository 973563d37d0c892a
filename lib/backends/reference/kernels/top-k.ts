/**
 * The K largest or smallest elements along an axis, with their indices; of equal ones the first first. NaN comes last
 * here; DirectML's sorting network leaves it, and what it is compared with, anywhere.
 */
import { packedStrides } from '../../../validation/tensor-size.js';
import {
  moveElements,
  readBigInts,
  readNumbers,
  writeBigInts,
  writeNumbers,
  type TensorView,
} from '../tensor-view.js';
import { sumTerms, termsByAxis } from './element-map.js';
import { numberField, required, type Kernel } from './kernel.js';

const top: Kernel = (operator, inputs, outputs) => {
  const input = required(inputs, 0);
  const values = required(outputs, 0);
  const indices = required(outputs, 1);
  const axis = numberField(operator, 'axis');
  const k = numberField(operator, 'k');
  const size = input.sizes[axis] ?? 1;
  const stride = packedStrides(input.sizes)[axis] ?? 1;
  const outputStride = packedStrides(values.sizes)[axis] ?? 1;
  const before = orderOf(input, operator.fields['axisDirection'] === 'increasing' ? 1 : -1);

  const sequences = input.sizes.with(axis, 1);
  const keep = (coordinate: number) => coordinate;
  const inputRows = sumTerms(termsByAxis(sequences, input.sizes, keep));
  const outputRows = sumTerms(termsByAxis(sequences, values.sizes, keep));
  const found = new Float64Array(indices.elementCount);
  inputRows.forEach((row, sequence) => {
    const order = Array.from({ length: size }, (_, i) => i);
    order.sort((a, b) => before(row + a * stride, row + b * stride) || a - b);
    for (let i = 0; i < k; i++) {
      const to = (outputRows[sequence] ?? 0) + i * outputStride;
      const index = order[i] ?? 0;
      moveElements(input, row + index * stride, values, to, 1);
      found[to] = index;
    }
  });
  if (indices.wordsPerElement === 2) writeBigInts(indices, BigInt64Array.from(found, (index) => BigInt(index)));
  else writeNumbers(indices, found);
};

/** Compares two elements by their numbers: negative where the first goes first. */
function orderOf(input: TensorView, direction: 1 | -1): (a: number, b: number) => number {
  if (input.wordsPerElement === 2) {
    const whole = readBigInts(input);
    return (a, b) => compare(whole[a] ?? 0n, whole[b] ?? 0n) * direction;
  }
  const numbers = readNumbers(input);
  return (a, b) => {
    const [first = 0, second = 0] = [numbers[a], numbers[b]];
    const nans = Number(Number.isNaN(first)) - Number(Number.isNaN(second));
    return nans || compare(first, second) * direction;
  };
}

function compare(a: number | bigint, b: number | bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export const topK = top;
export const topK1 = top;
