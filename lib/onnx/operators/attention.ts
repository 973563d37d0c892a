/** Attention and rotary embeddings. */
import { productOf } from '../../tensors/tensor-size.js';
import { vector } from '../make-data.js';
import { boolean, type Node } from '../node.js';
import type { Item, Operand } from '../operand.js';
import { attendWithPast, bandBias, bandBiasOf, biasWhere, headCount, longEnough, rotated } from './attention-helpers.js';
import type { Lowerings } from './lowering.js';
import { taken } from './move-helpers.js';
import { constant, upTo } from './tensor-helpers.js';

export const attentionOperators: Lowerings = {
  Attention: attention,
  RotaryEmbedding: rotaryEmbedding,
};

function attention(node: Node): readonly (Item | undefined)[] {
  const [query, key, value] = [node.input(0), node.input(1), node.input(2)];
  const [mask, pastKey, pastValue, lengths] = [3, 4, 5, 6].map((i) => node.optional(i));
  if ((pastKey === undefined) !== (pastValue === undefined)) throw new RangeError('past_key and past_value go together');
  if (lengths !== undefined && pastKey !== undefined) throw new RangeError('past keys have no nonpad_kv_seqlen');
  const isFlat = query.dims.length === 3;
  const heads = isFlat ? headCount(node, 'q_num_heads') : (query.dims[1] ?? 1);
  const keyHeads = isFlat ? headCount(node, 'kv_num_heads') : (key.dims[1] ?? 1);
  const size = isFlat ? (query.dims[2] ?? 1) / heads : (query.dims[3] ?? 1);
  const [left, ahead] = [windowOf(node, 'left_window_size'), windowOf(node, 'right_window_size')];
  const right = node.flag('is_causal') ? 0 : ahead;
  const [softcap, precision] = [node.float('softcap', 0), precisionOf(node)];
  const isHidden = [mask, lengths, left, right, precision].some((each) => each !== undefined);
  const isPlain = !isHidden && softcap <= 0 && !node.has(3);
  const made = attendWithPast(
    node,
    { query, key, value },
    {
      ...{ heads, keyHeads, pastKey, pastValue, softcap, precision, scale: node.float('scale', 1 / Math.sqrt(size)) },
      mayMaskAll: mask !== undefined || lengths !== undefined || left !== undefined,
      biases: isPlain ? null : (own, keys) => biasesOf(node, own, keys, left, right),
    },
  );
  const presents = [made.key, made.value].map((each, i) => (each && node.has(i + 1) ? node.packed(each) : null));
  const mode = node.int('qk_matmul_output_mode', 0);
  const stage = node.has(3) ? made.stages[mode] : null;
  if (stage === undefined) throw new RangeError(`qk_matmul_output_mode is ${mode}`);
  return [made.output, ...presents, stage];
}

/** What hides keys: the mask, causality, windows and the lengths of sequences. */
function biasesOf(node: Node, { dataType, dims }: Operand, keys: number, left?: number, right?: number) {
  const [queries = 1, given, past, lengths] = [dims[2], node.optional(3), node.optional(4), node.optional(6)];
  // A mask for fewer keys than there are masks the others.
  const mask = given && longEnough(node, given, keys, given.isBool ? 0 : -Infinity);
  const added = mask?.isBool === true ? biasWhere(node, dataType, mask) : mask;
  if (lengths === undefined) {
    return [added, bandBias(node, dataType, queries, keys, { offset: past?.dims[2] ?? 0, left, right })];
  }
  const counts = node.cast(lengths, 'int32');
  const offset = node.arithmetic('elementWiseSubtract', counts, constant('int32', lengths.dims, queries));
  const ends = node.reshape(counts, [productOf(lengths.dims), 1, 1, 1]);
  const isInside = node.combine('elementWiseLogicalLessThan', vector('int32', upTo(keys)), ends, boolean);
  const band = bandBiasOf(node, dataType, queries, keys, { offset, left, right });
  return [added, band, biasWhere(node, dataType, isInside)];
}

function windowOf(node: Node, name: string): number | undefined {
  const size = node.int(name, -1);
  return size < 0 ? undefined : size;
}

function precisionOf(node: Node): 'float32' | 'float16' | undefined {
  const number = node.int('softmax_precision');
  if (number === undefined) return undefined;
  const { dataType } = node.elementType(number);
  if (dataType !== 'float32' && dataType !== 'float16') throw node.unsupported('the precision of softmax', dataType);
  return dataType;
}

function rotaryEmbedding(node: Node): Operand {
  const [input, cosines, sines, positions] = [node.input(0), node.input(1), node.input(2), node.optional(3)];
  const width = input.dims.at(-1) ?? 1;
  const size = input.dims.length === 3 ? width / headCount(node) : width;
  const turning = node.int('rotary_embedding_dim', 0) || size;
  const found = cosines.dims.at(-1) ?? 0;
  if (2 * found !== turning) throw new RangeError(`${found} cosines for ${turning} elements`);
  const look = (table: Operand) => (positions === undefined ? table : taken(node, table, 0, positions));
  return rotated(node, input, size, { cosines: look(cosines), sines: look(sines), isInterleaved: node.flag('interleaved') });
}
