/** The terms that are added to attention scores: a bias for relative positions, and a filter value for masked keys. */
import type { MultiheadAttentionMaskType } from '../tensors/generated/enums.js';
import { readNumbers, type TensorView } from './tensor-view.js';

const { fround } = Math;

/** [batch, heads, queries, keys], packed. */
interface Scores {
  readonly values: Float64Array;
  readonly batch: number;
  readonly heads: number;
  readonly queries: number;
  readonly keys: number;
}

/** The range of keys that are not masked: the first one, and the one after the last. */
type KeyRange = readonly [from: number, to: number];
type KeyRangeOf = (mask: Float64Array, scores: Scores, batch: number) => KeyRange;

/** Masks that leave one range of keys to each batch. For all other keys the filter value is added in place of the bias. */
const KEY_RANGES: Readonly<Record<string, KeyRangeOf>> = {
  none: (_mask, { keys }) => [0, keys],
  keySequenceLength: (mask, _scores, batch) => [0, mask[batch] ?? 0],
  keySequenceEndStart: (mask, { batch: count }, batch) => [mask[count + batch] ?? 0, mask[batch] ?? 0],
};

/** The fields of an attention that control masking. */
interface Masking {
  readonly maskType: MultiheadAttentionMaskType;
  readonly maskFilterValue: number;
  readonly scale: number;
}

export function addBiasAndMask(
  { maskType, maskFilterValue: filter, scale }: Masking,
  bias: TensorView | null,
  mask: TensorView | null,
  scores: Scores,
): void {
  const biases = bias === null ? new Float64Array(scores.values.length) : readNumbers(bias);
  const elements = mask === null ? new Float64Array(0) : readNumbers(mask);
  const keyRange = KEY_RANGES[maskType];
  if (keyRange !== undefined) {
    addBiasOrFilter(keyRange, elements, filter, biases, scores);
  } else if (maskType === 'boolean' && bias !== null) {
    // DirectML gives the filter value to its gemm together with the bias, as a matrix that the scale multiplies. So it divides
    // the filter value by the scale first. A filter value that overflows by this makes all scores NaN.
    addBiasAndFilter(scores.values, biases, scale, elements, fround(filter * fround(1 / scale)));
  } else {
    const attends = maskType === 'boolean' ? elements : queryKeyMask(elements, scores);
    addBiasAndFilter(scores.values, biases, 1, attends, filter);
  }
}

function addBiasOrFilter(keyRange: KeyRangeOf, mask: Float64Array, filter: number, bias: Float64Array, scores: Scores): void {
  const { values, batch, heads, queries, keys } = scores;
  for (let row = 0; row < batch * heads * queries; row++) {
    const [from, to] = keyRange(mask, scores, Math.floor(row / (heads * queries)));
    // A range that ends at or before its start masks nothing.
    const isAll = from >= to;
    for (let key = 0; key < keys; key++) {
      const at = row * keys + key;
      const isUnmasked = isAll || (key >= from && key < to);
      values[at] = fround((values[at] ?? 0) + (isUnmasked ? (bias[at] ?? 0) : filter));
    }
  }
}

/**
 * A mask element m adds (1 - m) · filter to the bias, whatever m is: 1 adds nothing, 0 adds the filter value, 2 subtracts it. The
 * sum is rounded, then scaled and added to the score. Next to a large filter value, the bias keeps few digits.
 */
function addBiasAndFilter(values: Float64Array, bias: Float64Array, scale: number, mask: Float64Array, filter: number): void {
  for (let i = 0; i < values.length; i++) {
    const added = fround((bias[i] ?? 0) + fround(fround((mask[i] ?? 0) * -filter) + filter));
    values[i] = fround((values[i] ?? 0) + fround(scale * added));
  }
}

/**
 * For `keyQuerySequenceLengthStartEnd`: 1 where a query may attend to a key, else 0. The mask has the key lengths (one per
 * batch), then the query starts, then the key starts (one per batch and one more each). DirectML counts these starts through the
 * queries and the keys of the whole batch, and does not read the mask's last element.
 */
function queryKeyMask(mask: Float64Array, { values, batch: count, heads, queries, keys }: Scores): Float64Array {
  const attends = new Float64Array(values.length);
  for (let row = 0; row < count * heads * queries; row++) {
    const batch = Math.floor(row / (heads * queries));
    const query = batch * queries + (row % queries);
    const [start = 0, end = 0] = mask.subarray(count + batch);
    if (query < start || query >= end) continue;
    const from = (mask[2 * count + 1 + batch] ?? 0) - batch * keys;
    const to = Math.min(from + (mask[batch] ?? 0), keys);
    for (let key = Math.max(from, 0); key < to; key++) attends[row * keys + key] = 1;
  }
  return attends;
}

/**
 * Causal mask: adds the filter value to the keys after a query's own position, which is the past sequence length plus the query's
 * index.
 */
export function maskLaterKeys(filter: number, lengths: Float64Array, { values, batch, heads, queries, keys }: Scores): void {
  for (let row = 0; row < batch * heads * queries; row++) {
    const last = (lengths[Math.floor(row / (heads * queries))] ?? 0) + (row % queries);
    for (let key = Math.max(last + 1, 0); key < keys; key++)
      values[row * keys + key] = fround((values[row * keys + key] ?? 0) + filter);
  }
}
