/** Attention of onnxruntime. */
import { productOf } from '../../tensors/tensor-size.js';
import { vector } from '../make-data.js';
import { boolean, like, type Fields, type Node } from '../node.js';
import { broadcast, DeviceData, type Item, type Operand } from '../operand.js';
import {
  attend,
  attendWithPast,
  bandBias,
  bandBiasOf,
  biasWhere,
  headCount,
  headsOf,
  roomFor,
  longEnough,
  rotated,
  sumOf,
  withoutHeads,
  type Projections,
} from './attention-helpers.js';
import type { Lowerings } from './lowering.js';
import { matMul } from './matrix-helpers.js';
import { floatProduct, scaleAndZeroPoint } from './microsoft-quantized.js';
import { divided, joined, padded, partOf, taken } from './move-helpers.js';
import { choose, constant, plus, upTo } from './tensor-helpers.js';

export const microsoftAttention: Lowerings = {
  'com.microsoft:Attention': attention,
  'com.microsoft:QAttention': quantizedAttention,
  'com.microsoft:MultiHeadAttention': multiHeadAttention,
  'node-directml:Shape': shapeInUse,
  'com.microsoft:GroupQueryAttention': groupQueryAttention,
  'com.microsoft:RotaryEmbedding': rotaryEmbedding,
};

function refuse(node: Node, i: number, name: string): void {
  if (node.item(i) !== null) throw node.unsupported('the input', name);
}

/** The scale; 0 stands for none. */
function scaleOf(node: Node, size: number): number {
  return node.float('scale', 0) || 1 / Math.sqrt(size);
}

/** Queries, keys and values in one tensor. */
function separated(node: Node, input: Operand, axis: number, sizes: readonly number[]): Projections {
  const [query, key, value] = divided(node, input, axis, sizes);
  if (query === undefined || key === undefined || value === undefined)
    throw new RangeError('queries, keys or values are missing');
  return { query, key, value };
}

/** The inputs that an attention may have beside queries, keys and values. */
interface Extras {
  readonly mask: number;
  readonly bias: number | undefined;
}

/** What is added to the products: a mask, a bias, and what hides later keys. */
function biases(node: Node, query: Operand, keys: number, given: Extras & { readonly past: Operand | undefined }) {
  const mask = node.optional(given.mask);
  const bias = given.bias === undefined ? undefined : node.optional(given.bias);
  const right = node.flag('unidirectional') ? 0 : undefined;
  const band = { offset: given.past?.dims[2] ?? 0, right };
  const hidden = mask && maskBias(node, mask, query, keys);
  return [hidden, bias, bandBias(node, query.dataType, query.dims[2] ?? 1, keys, band)];
}

/** What is added to the products of masked keys. */
function maskBias(node: Node, mask: Operand, query: Operand, keys: number): Operand {
  const [batch = 1, , queries = 1] = query.dims;
  const closed = node.float('mask_filter_value', -10000);
  const numbers = node.cast(mask, 'int32');
  if (mask.dims.length === 1) return biasWhere(node, query.dataType, withinEnds(node, numbers, batch, keys), closed);
  const dims = mask.dims.length === 2 ? [batch, 1, 1, keys] : [batch, 1, queries, keys];
  if (mask.dims.length > 3 || productOf(mask.dims) !== productOf(dims)) throw node.unsupported('a mask', mask.dims.join('x'));
  const one = constant('int32', [], 1);
  const open = node.combine('elementWiseLogicalGreaterThanOrEqual', node.reshape(numbers, dims), one, boolean);
  return biasWhere(node, query.dataType, open, closed);
}

/** The ends of the keys of all samples, perhaps followed by where they start. */
function withinEnds(node: Node, numbers: Operand, batch: number, keys: number): Operand {
  const count = productOf(numbers.dims);
  if (count !== batch && count !== 2 * batch) throw node.unsupported('a mask', `${count} numbers for ${batch} samples`);
  const limits = node.reshape(numbers, [count, 1, 1, 1]);
  const places = vector('int32', upTo(keys));
  const beforeEnd = node.combine('elementWiseLogicalLessThan', places, partOf(node, limits, 0, 0, batch), boolean);
  if (count === batch) return beforeEnd;
  const starts = partOf(node, limits, 0, batch, 2 * batch);
  const fromStart = node.combine('elementWiseLogicalGreaterThanOrEqual', places, starts, boolean);
  return node.combine('elementWiseLogicalAnd', beforeEnd, fromStart, boolean);
}

/** The projections to queries, keys and values are a part of the operator. */
function attention(node: Node): readonly Item[] {
  refuse(node, 6, 'past_sequence_length');
  const all = plus(node, matMul(node, node.input(0), node.input(1)), node.optional(2));
  return attentionOf(node, all, { mask: 3, past: 4, bias: 5 });
}

function quantizedAttention(node: Node): readonly Item[] {
  const [input, weights] = [node.input(0), node.input(1)];
  const all = floatProduct(node, input, weights, scaleAndZeroPoint(node, 3, 6), scaleAndZeroPoint(node, 4, 7), node.optional(2));
  return attentionOf(node, all, { mask: 5, past: 8, bias: undefined });
}

/** Of projections that lie next to each other. */
function attentionOf(node: Node, all: Operand, inputs: Extras & { readonly past: number }): readonly Item[] {
  if (node.flag('do_rotary')) throw node.unsupported('the attribute', 'do_rotary');
  const past = node.optional(inputs.past);
  const heads = headCount(node);
  const width = all.dims.at(-1) ?? 0;
  const sizes = node.ints('qkv_hidden_sizes') ?? [width / 3, width / 3, width / 3];
  const given = separated(node, all, all.dims.length - 1, sizes);
  const [pastKey, pastValue] = [0, 1].map((i) => past && node.reshape(partOf(node, past, 0, i, i + 1), past.dims.slice(1)));
  const { output, key, value } = attendWithPast(node, given, {
    ...{ heads, pastKey, pastValue, scale: scaleOf(node, (given.query.dims[2] ?? 1) / heads) },
    biases: (query, keys) => biases(node, query, keys, { ...inputs, past: pastKey }),
  });
  if (!node.has(1)) return [output];
  const both = [key, value].flatMap((each) => (each === undefined ? [] : node.reshape(each, [1, ...each.dims])));
  return [output, joined(node, both, 0)];
}

function multiHeadAttention(node: Node): readonly Item[] {
  refuse(node, 8, 'past_sequence_length');
  refuse(node, 9, 'cache_indirection');
  if (node.has(3)) throw node.unsupported('the output', 'qk');
  const heads = headCount(node);
  const given = biased(node, projections(node));
  const [mask, attentionBias, pastKey, pastValue] = [4, 5, 6, 7].map((i) => node.optional(i));
  const scale = scaleOf(node, (given.query.dims[2] ?? 1) / heads);
  const length = lengthInUse(node, 10);
  if (length !== undefined) return withRoomBehind(node, given, length, scale);
  const isPlain = mask === undefined && attentionBias === undefined && !node.flag('unidirectional');
  const made = attendWithPast(node, given, {
    ...{ heads, pastKey, pastValue, scale },
    biases: isPlain ? null : (query, keys) => biases(node, query, keys, { mask: 4, bias: 5, past: pastKey }),
  });
  return [made.output, ...[made.key, made.value].map((each, i) => (each && node.has(i + 1) ? node.packed(each) : null))];
}

/** The attention of caches with room behind the places in use. */
function withRoomBehind(node: Node, given: Projections, length: Operand, scale: number): readonly Item[] {
  const [mask, attentionBias, pastKey, pastValue] = [4, 5, 6, 7].map((i) => node.optional(i));
  const [added = 1, room = 0] = [given.key.dims.at(-2), pastKey?.dims[2]];
  const keys = roomFor(room - 1 + added);
  const isCausal = node.flag('unidirectional');
  const { output, key, value } = attendWithPast(node, given, {
    ...{ heads: headCount(node), pastKey, pastValue, scale },
    append: (past, input) => cached(node, past, input, length, keys),
    biases: (query) => [
      mask && maskBias(node, mask.dims.length === 1 ? mask : withRoom(node, mask, keys), query, keys),
      attentionBias && withRoom(node, attentionBias, keys),
      bandBiasOf(node, query.dataType, isCausal ? (query.dims[2] ?? 1) : 1, keys, {
        ...{ offset: length, left: undefined, right: isCausal ? 0 : added - 1 },
      }),
    ],
  });
  const presents = [key, value].map((each, i) => (each && node.has(i + 1) ? node.packed(each) : null));
  return [output, ...presents, null, node.arithmetic('elementWiseAdd', length, vector('int32', [added]))];
}

/** How many places of a cache with room are in use, which only growing caches give, as int32 [1]. */
function lengthInUse(node: Node, input: number): Operand | undefined {
  const given = node.optional(input);
  return given === undefined || productOf(given.dims) === 0 ? undefined : given;
}

/** The sizes of a cache without its room. */
function shapeInUse(node: Node): Operand {
  const { dims } = node.input(0);
  const sizes = dims.map((size): Operand => vector('int64', [size]));
  const length = lengthInUse(node, 1);
  const inUse = length === undefined ? sizes : sizes.with(2, node.cast(length, 'int64'));
  return joined(node, inUse.slice(node.int('start', 0), node.int('end')), 0);
}

/** From their own inputs, or from one in which they are stacked for each head. */
function projections(node: Node): Projections {
  const [query, key, value] = [node.input(0), node.optional(1), node.optional(2)];
  if (query.dims.length === 5)
    return { query: unstacked(node, query, 0), key: unstacked(node, query, 1), value: unstacked(node, query, 2) };
  if (key?.dims.length === 5) return { query, key: unstacked(node, key, 0), value: unstacked(node, key, 1) };
  if (key === undefined || value === undefined) throw new RangeError('keys or values are missing');
  return { query, key, value };
}

/** One of [batch, length, heads, count, size] with its heads next to each other. */
function unstacked(node: Node, input: Operand, i: number): Operand {
  const [batch = 1, length = 1, heads = 1, , size = 1] = input.dims;
  return node.reshape(partOf(node, input, 3, i, i + 1), [batch, length, heads * size]);
}

/** With the biases of queries, keys and values, which one input has in this order. */
function biased(node: Node, given: Projections): Projections {
  const bias = node.optional(3);
  if (bias === undefined) return given;
  const { query, key, value } = given;
  if (key.dims.length !== 3) throw node.unsupported('a bias', 'one beside keys that have their heads apart');
  const widths = [query, key, value].map(({ dims }) => dims[2] ?? 1);
  const parts = separated(node, node.reshape(bias, [productOf(bias.dims)]), 0, widths);
  const plus = (name: keyof Projections) => node.arithmetic('elementWiseAdd', given[name], parts[name]);
  return { query: plus('query'), key: plus('key'), value: plus('value') };
}

function groupQueryAttention(node: Node): readonly Item[] {
  const [heads, keyHeads] = [headCount(node), headCount(node, 'kv_num_heads')];
  if (node.has(3)) throw node.unsupported('the output', 'output_qk');
  const [input, givenKey, givenValue] = [node.input(0), node.optional(1), node.optional(2)];
  const [batch = 1, queries = 1, width = 1] = input.dims;
  const size = width / (givenKey === undefined ? heads + 2 * keyHeads : heads);
  const given =
    givenKey === undefined || givenValue === undefined
      ? separated(node, input, input.dims.length - 1, [heads * size, keyHeads * size, keyHeads * size])
      : { query: input, key: givenKey, value: givenValue };
  const [pastKey, pastValue] = [node.optional(3), node.optional(4)];
  const total = node.number(node.input(6));
  const before = precedingKeys(node, batch, queries, total);
  const keys = Math.max(total, pastKey?.dims[2] ?? 0);
  const turn = rotationOf(node, before, batch, queries, size);
  const sink = node.optional(11) ?? (node.int('smooth_softmax', 0) > 0 ? constant(input.dataType, [1], 0) : undefined);
  const limit = node.int('local_window_size', -1);
  const extra = node.optional(10);
  const how = { sink, scale: scaleOf(node, size), softcap: node.float('softcap', 0) };
  const isPlain = limit < 1 && how.softcap === 0 && extra === undefined && sink === undefined;
  if (isPlain && batch === 1 && hasRoom(pastKey, total) && hasRoom(pastValue, total)) {
    const parts = { queryTensor: turn(given.query), keyTensor: turn(given.key), valueTensor: given.value };
    const counts = { queryHeadCount: heads, keyValueHeadCount: keyHeads, scale: how.scale };
    return appended(node, { ...parts, ...counts, pastSequenceLengthsTensor: node.packed(before) }, pastKey, pastValue);
  }
  const key = cached(node, pastKey, headsOf(node, turn(given.key), keyHeads), before, keys);
  const value = cached(node, pastValue, headsOf(node, given.value, keyHeads), before, keys);
  const query = headsOf(node, turn(given.query), heads);
  const band = { offset: before, left: limit < 1 ? undefined : limit - 1, right: 0 };
  const hidden = bandBiasOf(node, query.dataType, queries, keys, band);
  const bias = sumOf(node, [extra && withRoom(node, extra, keys), hidden]);
  const { output } = attend(node, { query, key, value }, how, bias);
  return [withoutHeads(node, output), node.packed(key), node.packed(value)];
}

/** True for a cache of so many places that an operator may write to. */
function hasRoom(cache: Operand | undefined, keys: number): cache is Operand {
  return cache?.data instanceof DeviceData && cache.data.hasRoom && cache.dims[2] === keys;
}

/** DirectML's attention writes new keys and values behind those of the caches. */
function appended(node: Node, fields: Fields & { queryTensor: Operand }, keys: Operand, values: Operand): readonly Item[] {
  const made = node.addAll('multiheadAttention1', {
    ...fields,
    ...{ outputTensor: like(fields.queryTensor), outputPresentKeyTensor: like(keys), outputPresentValueTensor: like(values) },
    // The least number of the data type, which is added to what no query may see.
    maskFilterValue: keys.dataType === 'float16' ? -65504 : -3.4028234e38,
  });
  node.append(keys, made.outputPresentKeyTensor);
  node.append(values, made.outputPresentValueTensor);
  return [made.outputTensor, made.outputPresentKeyTensor, made.outputPresentValueTensor];
}

/** How many keys precede the new ones, as int32 [batch]: the first call fills the cache from its beginning; later ones append. */
function precedingKeys(node: Node, batch: number, queries: number, total: number): Operand {
  if (queries === total) return constant('int32', [batch], 0);
  const last = node.reshape(node.cast(node.input(5), 'int32'), [batch]);
  return node.arithmetic('elementWiseSubtract', last, constant('int32', [batch], queries - 1));
}

/** The rotation of queries and keys by their places, if the operator has it. */
function rotationOf(node: Node, before: Operand, batch: number, length: number, size: number): (input: Operand) => Operand {
  if (!node.flag('do_rotary')) return (input) => input;
  const places = node.reshape(before, [batch, 1]);
  const positions = node.optional(9) ?? node.arithmetic('elementWiseAdd', places, vector('int32', upTo(length)));
  const [cosines, sines] = [taken(node, node.input(7), 0, positions), taken(node, node.input(8), 0, positions)];
  return (input) => rotated(node, input, size, { cosines, sines, isInterleaved: node.flag('rotary_interleaved') });
}

/** The cache, which has room for that many keys, with new keys or values written to their places. */
function cached(node: Node, past: Operand | undefined, input: Operand, before: Operand, keys: number): Operand {
  const [batch = 1, heads = 1, length = 1, size = 1] = input.dims;
  if (length === keys) return input;
  const dims = [batch, heads, keys, size];
  const missing = keys - (past?.dims[2] ?? 0);
  const old = past === undefined ? constant(input.dataType, dims, 0) : padded(node, past, [0, 0, 0, 0], [0, 0, missing, 0]);
  const samples = productOf(before.dims);
  const places = node.arithmetic('elementWiseSubtract', vector('int32', upTo(keys)), node.reshape(before, [samples, 1]));
  const inside = node.map('elementWiseClip', node.cast(places, 'float32'), { min: 0, max: length - 1 });
  const nearest = node.cast(inside, 'int32');
  const isNew = node.combine('elementWiseLogicalEquals', places, nearest, boolean);
  const found = node.add('gatherElements', {
    inputTensor: node.packed(input),
    indicesTensor: broadcast(node.reshape(nearest, [samples, 1, keys, 1]), dims),
    outputTensor: like(input, dims),
    axis: 2,
  });
  return choose(node, node.reshape(isNew, [samples, 1, keys, 1]), found, old);
}

/** A bias or mask for the keys so far; those that the cache has room for are masked anyway. A single one is for all keys. */
function withRoom(node: Node, bias: Operand, keys: number): Operand {
  return bias.dims.at(-1) === 1 ? bias : longEnough(node, bias, keys);
}

/** Positions are given for each word, or for the first one. As in onnxruntime, the attribute `scale` has no effect. */
function rotaryEmbedding(node: Node): Operand {
  const [input, given, cosines, sines] = [node.input(0), node.input(1), node.input(2), node.input(3)];
  if (node.flag('is_packed_batching')) throw node.unsupported('the attribute', 'is_packed_batching');
  const isFlat = input.dims.length === 3;
  const [batch = 1, length = 1] = isFlat ? input.dims : [input.dims[0], input.dims[2]];
  const turning = 2 * (cosines.dims[1] ?? 1);
  const dimension = node.int('rotary_embedding_dim', 0);
  if (dimension > 0 && dimension !== turning) throw new RangeError(`${turning / 2} cosines for ${dimension} elements`);
  const size = dimension > 0 && isFlat ? (input.dims[2] ?? 1) / headCount(node) : turning;
  const counted = () => node.arithmetic('elementWiseAdd', node.reshape(given, [1]), vector(given.dataType, upTo(length)));
  const positions = productOf(given.dims) === 1 ? broadcast(counted(), [batch, length]) : given;
  const [turns, heights] = [taken(node, cosines, 0, positions), taken(node, sines, 0, positions)];
  return rotated(node, input, size, { cosines: turns, sines: heights, isInterleaved: node.flag('interleaved') });
}
