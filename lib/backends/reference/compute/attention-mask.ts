/** What is added to the scores of attention: a bias for positions, and a filter value for keys that a mask does not leave open. */
import type { MultiheadAttentionMaskType } from '../../../schema/generated/enums.js';
import { readNumbers, type TensorView } from './tensor-view.js';

const { fround } = Math;

/** [batch, heads, queries, keys], packed. */
export interface Scores {
  readonly values: Float64Array;
  readonly batch: number;
  readonly heads: number;
  readonly queries: number;
  readonly keys: number;
}

/** The first open key, and the one after the last. */
type Open = readonly [from: number, to: number];
type OpenKeys = (mask: Float64Array, scores: Scores, batch: number) => Open;

/** Under these masks the filter value stands in for the bias of what is closed. */
const OPEN_KEYS: Readonly<Record<string, OpenKeys>> = {
  none: (_mask, { keys }) => [0, keys],
  keySequenceLength: (mask, _scores, batch) => [0, mask[batch] ?? 0],
  keySequenceEndStart: (mask, { batch: count }, batch) => [mask[count + batch] ?? 0, mask[batch] ?? 0],
};

/** The fields of an attention that say what closes a key. */
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
  const openKeys = OPEN_KEYS[maskType];
  if (openKeys !== undefined) {
    addOrReplace(openKeys, elements, filter, biases, scores);
  } else if (maskType === 'boolean') {
    // The bias is scaled, as under no other mask.
    addBoth(scores.values, biases, scale, elements, filter);
  } else {
    addBoth(scores.values, biases, 1, openToRows(elements, scores), filter);
  }
}

function addOrReplace(openKeys: OpenKeys, mask: Float64Array, filter: number, bias: Float64Array, scores: Scores): void {
  const { values, batch, heads, queries, keys } = scores;
  for (let row = 0; row < batch * heads * queries; row++) {
    const [from, to] = openKeys(mask, scores, Math.floor(row / (heads * queries)));
    // A mask that ends before it starts does not count.
    const isAll = from >= to;
    for (let key = 0; key < keys; key++) {
      const at = row * keys + key;
      const isOpen = isAll || (key >= from && key < to);
      values[at] = fround((values[at] ?? 0) + (isOpen ? (bias[at] ?? 0) : filter));
    }
  }
}

/** Any number in the mask counts: 1 adds nothing, 0 the filter value, 2 takes it away. */
function addBoth(values: Float64Array, bias: Float64Array, scale: number, mask: Float64Array, filter: number): void {
  for (let i = 0; i < values.length; i++) {
    const added = fround(fround((mask[i] ?? 0) * -filter) + filter);
    values[i] = fround(fround((values[i] ?? 0) + fround(scale * (bias[i] ?? 0))) + added);
  }
}

/**
 * 1 where a query sees a key. DirectML has all queries of the batch in one row here, and all keys, and does not look at
 * the mask's last element.
 */
function openToRows(mask: Float64Array, { values, batch: count, heads, queries, keys }: Scores): Float64Array {
  const open = new Float64Array(values.length);
  for (let row = 0; row < count * heads * queries; row++) {
    const batch = Math.floor(row / (heads * queries));
    const query = batch * queries + (row % queries);
    const [start = 0, end = 0] = mask.subarray(count + batch);
    if (query < start || query >= end) continue;
    const from = (mask[2 * count + 1 + batch] ?? 0) - batch * keys;
    const to = Math.min(from + (mask[batch] ?? 0), keys);
    for (let key = Math.max(from, 0); key < to; key++) open[row * keys + key] = 1;
  }
  return open;
}

/** Adds the filter value to the keys after a query's own place, which is behind what there was before. */
export function closeLaterKeys(filter: number, lengths: Float64Array, { values, batch, heads, queries, keys }: Scores): void {
  for (let row = 0; row < batch * heads * queries; row++) {
    const last = (lengths[Math.floor(row / (heads * queries))] ?? 0) + (row % queries);
    for (let key = Math.max(last + 1, 0); key < keys; key++)
      values[row * keys + key] = fround((values[row * keys + key] ?? 0) + filter);
  }
}
