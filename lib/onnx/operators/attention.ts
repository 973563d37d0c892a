/** Attention and rotary embeddings. */
import { productOf } from '../../validation/tensor-size.js';
import { vector } from '../make-data.js';
import { type Node } from '../node.js';
import type { Item, Operand } from '../operand.js';
import {
  attend,
  bandBias,
  bandBiasOf,
  biasWhere,
  compare,
  fused,
  headsOf,
  longEnough,
  rotated,
  sumOf,
  withoutHeads,
  withPast,
  type Attended,
  type Attention,
} from './attention-helpers.js';
import type { Lowerings } from './lowering.js';
import { taken } from './move-helpers.js';
import { constant, upTo } from './tensor-helpers.js';

export const attentionOperators: Lowerings = {
  Attention: attention,
  RotaryEmbedding: rotaryEmbedding,
};

function attention(node: Node): readonly (Item | undefined)[] {
  const [query, key, value] = [node.input(0), node.input(1), node.input(2)];
  const isFlat = query.dims.length === 3;
  const heads = isFlat ? headCount(node, 'q_num_heads') : (query.dims[1] ?? 1);
  const keyHeads = isFlat ? headCount(node, 'kv_num_heads') : (key.dims[1] ?? 1);
  const [pastKey, pastValue, lengths] = [node.optional(4), node.optional(5), node.optional(6)];
  if ((pastKey === undefined) !== (pastValue === undefined)) throw new RangeError('past_key and past_value go together');
  if (lengths !== undefined && pastKey !== undefined) throw new RangeError('past keys have no nonpad_kv_seqlen');
  const size = isFlat ? (query.dims[2] ?? 1) / heads : (query.dims[3] ?? 1);
  const scale = node.float('scale', 1 / Math.sqrt(size));
  if (isFlat && isPlain(node)) {
    const past = { pastKey: unlessEmpty(pastKey), pastValue: unlessEmpty(pastValue) };
    const hasPresent = node.has(1) || node.has(2);
    return fused(node, { query, key, value, ...past }, { heads, keyHeads, scale, hasPresent });
  }
  const own = {
    query: isFlat ? headsOf(node, query, heads) : query,
    key: withPast(node, pastKey, isFlat ? headsOf(node, key, keyHeads) : key),
    value: withPast(node, pastValue, isFlat ? headsOf(node, value, keyHeads) : value),
  };
  const made = attend(node, { ...own, scale, softcap: node.float('softcap', 0), ...maskOf(node, own), ...precisionOf(node) });
  const output = isFlat ? withoutHeads(node, made.output) : made.output;
  return [output, node.has(1) ? node.packed(own.key) : null, node.has(2) ? node.packed(own.value) : null, productsOf(node, made)];
}

function headCount(node: Node, name: string): number {
  const count = node.int(name, 0);
  if (count < 1) throw new RangeError(`the attribute ${name} is missing`);
  return count;
}

/** True for what one operator of DirectML computes. */
function isPlain(node: Node): boolean {
  const isMasked = node.optional(3) !== undefined || node.optional(6) !== undefined || node.flag('is_causal');
  const isLimited = windowOf(node, 'left_window_size') !== undefined || windowOf(node, 'right_window_size') !== undefined;
  const isSpecial = node.float('softcap', 0) > 0 || node.has(3) || node.int('softmax_precision') !== undefined;
  const hasAll = [0, 1, 2].every((i) => productOf(node.input(i).dims) > 0);
  return !isMasked && !isLimited && !isSpecial && hasAll;
}

function unlessEmpty(past: Operand | undefined): Operand | undefined {
  return past === undefined || productOf(past.dims) === 0 ? undefined : past;
}

function windowOf(node: Node, name: string): number | undefined {
  const size = node.int(name, -1);
  return size < 0 ? undefined : size;
}

/** The sum of what hides keys: the mask, causality, windows and the lengths of sequences. */
function maskOf(node: Node, { query, key }: { query: Operand; key: Operand }): Pick<Attention, 'bias' | 'mayMaskAll'> {
  const { dataType } = query;
  const [queries = 1, keys = 1] = [query.dims[2], key.dims[2]];
  const [mask, past, lengths] = [node.optional(3), node.optional(4), node.optional(6)];
  const left = windowOf(node, 'left_window_size');
  const ahead = windowOf(node, 'right_window_size');
  const right = node.flag('is_causal') ? 0 : ahead;
  const own = mask && longEnough(node, mask, keys);
  const added = own?.isBool === true ? biasWhere(node, dataType, own) : own;
  const band =
    lengths === undefined
      ? bandBias(node, dataType, queries, keys, { offset: past?.dims[2] ?? 0, left, right })
      : bandBiasOf(node, dataType, queries, keys, { offset: offsetOf(node, lengths, queries), left, right });
  const bias = sumOf(node, [added, band, lengths && paddingBias(node, query, lengths, keys)]);
  return { bias, mayMaskAll: mask !== undefined || lengths !== undefined || left !== undefined };
}

/** How many keys of each sample precede its first query. */
function offsetOf(node: Node, lengths: Operand, queries: number): Operand {
  return node.arithmetic('elementWiseSubtract', node.cast(lengths, 'int32'), constant('int32', lengths.dims, queries));
}

function paddingBias(node: Node, { dataType }: Operand, lengths: Operand, keys: number): Operand {
  const ends = node.reshape(node.cast(lengths, 'int32'), [productOf(lengths.dims), 1, 1, 1]);
  return biasWhere(node, dataType, compare(node, 'elementWiseLogicalLessThan', vector('int32', upTo(keys)), ends));
}

function precisionOf(node: Node): Pick<Attention, 'precision'> {
  const number = node.int('softmax_precision');
  if (number === undefined) return {};
  const { dataType } = node.elementType(number);
  if (dataType !== 'float32' && dataType !== 'float16') throw node.unsupported('the precision of softmax', dataType);
  return { precision: dataType };
}

function productsOf(node: Node, { products, capped, biased, weights }: Attended): Item {
  if (!node.has(3)) return null;
  const mode = node.int('qk_matmul_output_mode', 0);
  const found = [products, capped, biased, weights][mode];
  if (found === undefined) throw new RangeError(`qk_matmul_output_mode is ${mode}`);
  return found;
}

function rotaryEmbedding(node: Node): Operand {
  const [input, cosines, sines, positions] = [node.input(0), node.input(1), node.input(2), node.optional(3)];
  const isFlat = input.dims.length === 3;
  const [batch = 1, length = 1, width = 1] = input.dims;
  const heads = isFlat ? headCount(node, 'num_heads') : 1;
  const split = isFlat ? node.reshape(input, [batch, length, heads, width / heads]) : input;
  const look = (table: Operand) => (positions === undefined ? table : taken(node, table, 0, positions));
  const rotation = { cosines: look(cosines), sines: look(sines), isInterleaved: node.flag('interleaved') };
  const size = node.int('rotary_embedding_dim', 0) || (split.dims[3] ?? 1);
  if (2 * (cosines.dims.at(-1) ?? 0) !== size) throw new RangeError(`${cosines.dims.at(-1) ?? 0} cosines for ${size} elements`);
  return node.reshape(rotated(node, split, rotation, isFlat ? 1 : 2), input.dims);
}
