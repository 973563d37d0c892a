/**
 * Multi-head attention. Scores, weights and the sums of values are computed in float32, because scores may overflow where weights
 * are far from any limit.
 */
import { leastNormalFloat32 } from '../../tensors/data-types.js';
import type { Resolved } from '../../descriptors/resolved.js';
import { readNumbers, writeNumbers, type TensorView } from '../../compute/tensor-view.js';
import { addBiasAndMask, maskLaterKeys } from '../../compute/attention-mask.js';
import type { Kernel, Tensors } from '../../compute/kernel.js';
import { BLOCK_COLUMNS, copyColumns, type LayOutColumns, type Rows } from '../../compute/multiply-block.js';
import { multiplication } from '../../compute/multiply.js';
import { applySoftmax } from '../../compute/softmax.js';

const { fround } = Math;

/** Queries, keys or values: [batch, heads, length, size], packed. */
interface Heads {
  readonly values: Float64Array;
  readonly batch: number;
  readonly heads: number;
  readonly length: number;
  readonly size: number;
}

export const multiheadAttention: Kernel<'multiheadAttention'> = (operator, tensors) => {
  const heads = operator.headCount;
  attend(operator, { query: heads, keyValue: heads }, { ...tensors, pastSequenceLengthsTensor: null });
};

export const multiheadAttention1: Kernel<'multiheadAttention1'> = (operator, tensors) => {
  attend(operator, { query: operator.queryHeadCount, keyValue: operator.keyValueHeadCount }, tensors);
};

function attend(
  operator: Resolved<'multiheadAttention' | 'multiheadAttention1'>,
  counts: { readonly query: number; readonly keyValue: number },
  tensors: Tensors<'multiheadAttention1'>,
): void {
  const { stackedQueryKeyTensor: queryKey, stackedKeyValueTensor: keyValue, stackedQueryKeyValueTensor: queryKeyValue } = tensors;
  const queries = headsOf(counts.query, tensors.queryTensor, [queryKey, 0], [queryKeyValue, 0]);
  const newKeys = headsOf(counts.keyValue, tensors.keyTensor, [queryKey, 1], [keyValue, 0], [queryKeyValue, 1]);
  const newValues = headsOf(counts.keyValue, tensors.valueTensor, [keyValue, 1], [queryKeyValue, 2]);
  if (tensors.biasTensor !== null) addBias(readNumbers(tensors.biasTensor), [queries, newKeys, newValues]);
  const { outputPresentKeyTensor: presentKey, outputPresentValueTensor: presentValue } = tensors;
  const { pastSequenceLengthsTensor: lengths } = tensors;
  const pastLengths = lengths === null ? null : readNumbers(lengths);
  const keys = withPast(tensors.pastKeyTensor, presentKey, pastLengths, newKeys);
  const values = withPast(tensors.pastValueTensor, presentValue, pastLengths, newValues);
  const scores = scoresOf(queries, keys, operator.scale);
  const shape = { batch: queries.batch, heads: queries.heads, queries: queries.length, keys: keys.length };
  addBiasAndMask(operator, tensors.relativePositionBiasTensor, tensors.maskTensor, { values: scores, ...shape });
  if (pastLengths !== null) maskLaterKeys(operator.maskFilterValue, pastLengths, { values: scores, ...shape });
  applySoftmax(scores, [scores.length / keys.length, keys.length]);
  roundWeights(scores);
  writeNumbers(tensors.outputTensor, weightedSums(scores, queries, values));
  if (presentKey !== null) writeNumbers(presentKey, keys.values);
  if (presentValue !== null) writeNumbers(presentValue, values.values);
}

type Bound = TensorView | null;

/**
 * The heads of a tensor [batch, length, heads · size]; if there is none, those at an index of a stacked tensor [batch, length,
 * heads, stacked, size].
 */
function headsOf(heads: number, alone: Bound, ...stacks: readonly (readonly [Bound, number])[]): Heads {
  if (alone !== null) {
    const [batch = 1, length = 1, hidden = 1] = alone.sizes.slice(-3);
    return headsFirst(readNumbers(alone), { batch, heads, length, size: hidden / heads }, 0, 1);
  }
  for (const [stack, index] of stacks) {
    if (stack === null) continue;
    const [batch = 1, length = 1, , stacked = 1, size = 1] = stack.sizes;
    return headsFirst(readNumbers(stack), { batch, heads, length, size }, index, stacked);
  }
  throw new TypeError('no tensor is bound for queries, keys or values');
}

function headsFirst(source: Float64Array, shape: Omit<Heads, 'values'>, index: number, stacked: number): Heads {
  const { batch, heads, length, size } = shape;
  const values = new Float64Array(batch * heads * length * size);
  let to = 0;
  for (let b = 0; b < batch; b++) {
    for (let head = 0; head < heads; head++) {
      for (let i = 0; i < length; i++) {
        const from = (((b * length + i) * heads + head) * stacked + index) * size;
        values.set(source.subarray(from, from + size), to);
        to += size;
      }
    }
  }
  return { ...shape, values };
}

/** The bias has one element for each element of all heads: first for the queries, then for the keys, then for the values. */
function addBias(bias: Float64Array, parts: readonly Heads[]): void {
  let start = 0;
  for (const { values, heads, length, size } of parts) {
    for (let i = 0; i < values.length; i++) {
      const head = Math.floor(i / (length * size)) % heads;
      values[i] = fround((values[i] ?? 0) + (bias[start + head * size + (i % size)] ?? 0));
    }
    start += heads * size;
  }
}

/**
 * With past sequence lengths, the new keys or values go into the cache, which is an output; without, they follow the past ones.
 */
function withPast(past: Bound, cache: Bound, lengths: Float64Array | null, heads: Heads): Heads {
  return lengths === null || cache === null ? appendToPast(past, heads) : writeToCache(cache, lengths, heads);
}

/** The past keys or values, followed by the new ones. */
function appendToPast(past: Bound, { values, batch, heads, length, size }: Heads): Heads {
  if (past === null) return { values, batch, heads, length, size };
  const before = readNumbers(past);
  const [earlier, now] = [before.length / (batch * heads), length * size];
  const all = new Float64Array(before.length + values.length);
  for (let i = 0; i < batch * heads; i++) {
    const start = i * (earlier + now);
    all.set(before.subarray(i * earlier, (i + 1) * earlier), start);
    all.set(values.subarray(i * now, (i + 1) * now), start + earlier);
  }
  return { values: all, batch, heads, length: earlier / size + length, size };
}

/** The cache with the new keys or values written behind those that it already holds, wrapping around at its end. */
function writeToCache(cache: TensorView, lengths: Float64Array, { values, batch, heads, length, size }: Heads): Heads {
  const all = readNumbers(cache);
  const capacity = cache.sizes.at(-2) ?? 1;
  for (let row = 0; row < batch * heads * length; row++) {
    const head = Math.floor(row / length);
    const position = ((lengths[Math.floor(head / heads)] ?? 0) + (row % length)) >>> 0;
    all.set(values.subarray(row * size, (row + 1) * size), (head * capacity + (position % capacity)) * size);
  }
  return { values: all, batch, heads, length: capacity, size };
}

/** The scaled products of each query with all keys, [batch, heads, queries, keys]. */
function scoresOf(queries: Heads, keys: Heads, scale: number): Float64Array {
  const { size, length } = queries;
  const { values: key, length: count } = keys;
  const scores = new Float64Array((queries.values.length / size) * count);
  const multiply = multiplication(size, true);
  for (let head = 0; head < queries.batch * queries.heads; head++) {
    const all = { values: key, start: headOfKeys(queries, keys, head) * count * size, count, length: size };
    const own = { values: queries.values, start: head * length * size, count: length, length: size };
    const start = head * length * count;
    // For a single query, the keys are the rows: they already lie so.
    if (length === 1) multiply(all, 1, columnsOf(own), { values: scores, start, stride: 1 });
    else multiply(own, count, columnsOf(all), { values: scores, start, stride: count });
  }
  for (let i = 0; i < scores.length; i++) scores[i] = fround((scores[i] ?? 0) * scale);
  return scores;
}

/** Lays out rows as columns. */
function columnsOf({ values, start, length }: Rows): LayOutColumns {
  return (from, columns, block) => {
    for (let column = 0; column < columns; column++) {
      const at = start + (from + column) * length;
      for (let i = 0; i < length; i++) block[i * BLOCK_COLUMNS + column] = values[at + i] ?? 0;
    }
  };
}

/** Rounds weights to float32. One below the normal numbers is 0, and its product with an infinite value is NaN. */
function roundWeights(weights: Float64Array): void {
  for (let i = 0; i < weights.length; i++) weights[i] = (weights[i] ?? 0) < leastNormalFloat32 ? 0 : fround(weights[i] ?? 0);
}

/** The sums of all values, each times its weight, [batch, queries, heads, size]. */
function weightedSums(weights: Float64Array, queries: Heads, values: Heads): Float64Array {
  const { batch, heads, length } = queries;
  const { values: value, length: count, size } = values;
  const output = new Float64Array(batch * heads * length * size);
  const multiply = multiplication(count, true);
  for (let head = 0; head < batch * heads; head++) {
    const index = headOfKeys(queries, values, head);
    const rows = { values: weights, start: head * length * count, count: length, length: count };
    const layOut: LayOutColumns = (first, columns, block) => {
      copyColumns({ values: value, rows: count, columns: size }, index, first, columns, block);
    };
    const start = (Math.floor(head / heads) * length * heads + (head % heads)) * size;
    multiply(rows, size, layOut, { values: output, start, stride: heads * size });
  }
  return output;
}

/** The head of keys and values for a head of queries, counted through the batch. Several query heads may share one. */
function headOfKeys(queries: Heads, { heads }: Heads, head: number): number {
  return Math.floor(head / (queries.heads / heads));
}
