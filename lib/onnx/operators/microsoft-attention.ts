/** Attention of onnxruntime. */
import { productOf } from '../../validation/tensor-size.js';
import { vector } from '../make-data.js';
import { boolean, like, type Node } from '../node.js';
import { broadcast, permuted, reshaped, type Item, type Operand } from '../operand.js';
import {
  attend,
  bandBias,
  bandBiasOf,
  biasWhere,
  compare,
  fused,
  headsOf,
  roomFor,
  rotated,
  sumOf,
  withoutHeads,
  withPast,
} from './attention-helpers.js';
import type { Lowerings } from './lowering.js';
import { matMul } from './matrix-helpers.js';
import { divided, joined, padded, partOf, taken } from './move-helpers.js';
import { choose, constant, upTo } from './tensor-helpers.js';

export const microsoftAttention: Lowerings = {
  'com.microsoft:Attention': attention,
  'com.microsoft:MultiHeadAttention': multiHeadAttention,
  'node-directml:Shape': shapeInUse,
  'com.microsoft:GroupQueryAttention': groupQueryAttention,
  'com.microsoft:RotaryEmbedding': rotaryEmbedding,
};

function headCount(node: Node, name: string): number {
  const count = node.int(name, 0);
  if (count < 1) throw new RangeError(`the attribute ${name} is missing`);
  return count;
}

function refuse(node: Node, inputs: Readonly<Record<number, string>>): void {
  for (const [i, name] of Object.entries(inputs)) {
    if (node.item(Number(i)) !== null) throw node.unsupported('the input', name);
  }
}

/** The scale; 0 stands for none. */
function scaleOf(node: Node, size: number): number {
  return node.float('scale', 0) || 1 / Math.sqrt(size);
}

/** What is added to the products of masked keys. */
function maskBias(node: Node, mask: Operand, query: Operand, keys: number): Operand {
  const [batch = 1, , queries = 1] = query.dims;
  const closed = node.float('mask_filter_value', -10000);
  const numbers = node.cast(mask, 'int32');
  if (mask.dims.length === 1) return biasWhere(node, query.dataType, withinEnds(node, numbers, batch, keys), closed);
  const dims = mask.dims.length === 2 ? [batch, 1, 1, keys] : [batch, 1, queries, keys];
  if (mask.dims.length > 3 || productOf(mask.dims) !== productOf(dims)) throw node.unsupported('a mask', mask.dims.join('x'));
  const open = compare(node, 'elementWiseLogicalGreaterThanOrEqual', node.reshape(numbers, dims), constant('int32', [], 1));
  return biasWhere(node, query.dataType, open, closed);
}

/** The ends of the keys of all samples, perhaps followed by where they start. */
function withinEnds(node: Node, numbers: Operand, batch: number, keys: number): Operand {
  const count = productOf(numbers.dims);
  if (count !== batch && count !== 2 * batch) throw node.unsupported('a mask', `${count} numbers for ${batch} samples`);
  const limits = node.reshape(numbers, [count, 1, 1, 1]);
  const places = vector('int32', upTo(keys));
  const ends = count === batch ? limits : partOf(node, limits, 0, 0, batch);
  const beforeEnd = compare(node, 'elementWiseLogicalLessThan', places, ends);
  if (count === batch) return beforeEnd;
  const fromStart = compare(node, 'elementWiseLogicalGreaterThanOrEqual', places, partOf(node, limits, 0, batch, 2 * batch));
  return node.combine('elementWiseLogicalAnd', beforeEnd, fromStart, boolean);
}

/** The projections to queries, keys and values are a part of the operator. */
function attention(node: Node): readonly Item[] {
  refuse(node, { 6: 'past_sequence_length' });
  if (node.flag('do_rotary')) throw node.unsupported('the attribute', 'do_rotary');
  const [input, weights, bias, past] = [node.input(0), node.input(1), node.optional(2), node.optional(4)];
  const heads = headCount(node, 'num_heads');
  const width = weights.dims[1] ?? 0;
  const sizes = node.ints('qkv_hidden_sizes') ?? [width / 3, width / 3, width / 3];
  const product = matMul(node, input, weights);
  const all = bias === undefined ? product : node.arithmetic('elementWiseAdd', product, bias);
  const [query, newKey, newValue] = divided(node, all, all.dims.length - 1, sizes).map((each) => headsOf(node, each, heads));
  if (query === undefined || newKey === undefined || newValue === undefined) throw new RangeError('qkv_hidden_sizes are missing');
  const [pastKey, pastValue] = [0, 1].map((i) => past && withoutFirst(node, partOf(node, past, 0, i, i + 1)));
  const [key, value] = [withPast(node, pastKey, newKey), withPast(node, pastValue, newValue)];
  const [queries = 1, keys = 1] = [query.dims[2], key.dims[2]];
  const right = node.flag('unidirectional') ? 0 : undefined;
  const mask = node.optional(3);
  const added = sumOf(node, [
    mask && maskBias(node, mask, query, keys),
    node.optional(5),
    bandBias(node, query.dataType, queries, keys, { offset: pastKey?.dims[2] ?? 0, left: undefined, right }),
  ]);
  const made = attend(node, { query, key, value, scale: scaleOf(node, query.dims[3] ?? 1), bias: added });
  return [withoutHeads(node, made.output), node.has(1) ? stacked(node, key, value) : null];
}

function withoutFirst(node: Node, input: Operand): Operand {
  return node.reshape(input, input.dims.slice(1));
}

function stacked(node: Node, key: Operand, value: Operand): Operand {
  return joined(
    node,
    [key, value].map((each) => node.reshape(each, [1, ...each.dims])),
    0,
  );
}

/** Queries, keys and values: next to each other with their heads, or already apart as [batch, heads, length, size]. */
interface Projections {
  readonly query: Operand;
  readonly key: Operand;
  readonly value: Operand;
}

function multiHeadAttention(node: Node): readonly (Item | undefined)[] {
  refuse(node, { 8: 'past_sequence_length', 9: 'cache_indirection' });
  if (node.has(3)) throw node.unsupported('the output', 'qk');
  const heads = headCount(node, 'num_heads');
  const { query, key, value } = biased(node, projections(node));
  const [mask, attentionBias, pastKey, pastValue] = [4, 5, 6, 7].map((i) => node.optional(i));
  const isCausal = node.flag('unidirectional');
  const scale = scaleOf(node, (query.dims[2] ?? 1) / heads);
  const length = lengthInUse(node, 10);
  const isFlat = key.dims.length === 3 && productOf(query.dims) > 0 && productOf(key.dims) > 0;
  if (isFlat && length === undefined && mask === undefined && attentionBias === undefined && !isCausal) {
    const past = [pastKey, pastValue].map((each) => (each === undefined || productOf(each.dims) === 0 ? undefined : each));
    const counts = { heads, keyHeads: heads, scale, hasPresent: node.has(1) || node.has(2) };
    return fused(node, { query, key, value, pastKey: past[0], pastValue: past[1] }, counts);
  }
  const apart = (input: Operand) => (input.dims.length === 3 ? headsOf(node, input, heads) : input);
  const [newKey, newValue] = [apart(key), apart(value)];
  const [queries = 1, added = 1, room = 0] = [query.dims[1], newKey.dims[2], pastKey?.dims[2]];
  const cache = length && { before: length, keys: roomFor(room - 1 + added) };
  const withEarlier = (past: Operand | undefined, input: Operand) =>
    cache === undefined ? withPast(node, past, input) : cached(node, past, input, cache);
  const own = { query: apart(query), key: withEarlier(pastKey, newKey), value: withEarlier(pastValue, newValue) };
  const keys = own.key.dims[2] ?? 1;
  const full = (each: Operand) => (cache === undefined ? each : withRoom(node, each, keys));
  const bias = sumOf(node, [
    mask && maskBias(node, mask.dims.length === 1 ? mask : full(mask), own.query, keys),
    attentionBias && full(attentionBias),
    cache === undefined
      ? bandBias(node, query.dataType, queries, keys, { offset: room, left: undefined, right: isCausal ? 0 : undefined })
      : bandBiasOf(node, query.dataType, isCausal ? queries : 1, keys, {
          ...{ offset: cache.before, left: undefined, right: isCausal ? 0 : added - 1 },
        }),
  ]);
  const made = attend(node, { ...own, scale, bias });
  return [
    withoutHeads(node, made.output),
    ...[own.key, own.value].map((each, i) => (node.has(i + 1) ? node.packed(each) : null)),
    null,
    length && node.arithmetic('elementWiseAdd', length, vector('int32', [added])),
  ];
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
  if (query.dims.length === 5) {
    const [first, second, third] = unstacked(node, query, 3);
    if (first !== undefined && second !== undefined && third !== undefined) return { query: first, key: second, value: third };
  }
  if (key?.dims.length === 5) {
    const [first, second] = unstacked(node, key, 2);
    if (first !== undefined && second !== undefined) return { query, key: first, value: second };
  }
  if (key === undefined || value === undefined) throw new RangeError('keys or values are missing');
  return { query, key, value };
}

/** [batch, length, heads, count, size] as tensors with their heads next to each other. */
function unstacked(node: Node, input: Operand, count: number): readonly Operand[] {
  const [batch = 1, length = 1, heads = 1, , size = 1] = input.dims;
  return upTo(count).map((i) => node.reshape(partOf(node, input, 3, i, i + 1), [batch, length, heads * size]));
}

/** With the biases of queries, keys and values, which one input has in this order. */
function biased(node: Node, given: Projections): Projections {
  const bias = node.optional(3);
  if (bias === undefined) return given;
  const { query, key, value } = given;
  if (key.dims.length !== 3) throw node.unsupported('a bias', 'one beside keys that have their heads apart');
  const widths = [query, key, value].map(({ dims }) => dims[2] ?? 1);
  const parts = divided(node, node.reshape(bias, [productOf(bias.dims)]), 0, widths);
  const [first, second, third] = [query, key, value].map((input, i) => {
    const own = parts[i];
    return own === undefined ? input : node.arithmetic('elementWiseAdd', input, own);
  });
  return { query: first ?? query, key: second ?? key, value: third ?? value };
}

/** The places of the new keys of each sample among all keys. */
interface Cache {
  /** How many keys precede the new ones, as int32 [batch] or [1]. */
  readonly before: Operand;
  /** How many keys there are room for. */
  readonly keys: number;
}

function groupQueryAttention(node: Node): readonly Item[] {
  const [heads, keyHeads] = [headCount(node, 'num_heads'), headCount(node, 'kv_num_heads')];
  if (node.has(3)) throw node.unsupported('the output', 'output_qk');
  const given = groupProjections(node, heads, keyHeads);
  const [batch = 1, queries = 1, , size = 1] = given.query.dims;
  const [pastKey, pastValue] = [node.optional(3), node.optional(4)];
  const total = node.number(node.input(6));
  const cache = { before: precedingKeys(node, batch, queries, total), keys: Math.max(total, pastKey?.dims[2] ?? 0) };
  const turn = rotationOf(node, cache, batch, queries);
  const headsFirst = (input: Operand) => permuted(input, [0, 2, 1, 3]);
  const key = cached(node, pastKey, headsFirst(turn(given.key)), cache);
  const value = cached(node, pastValue, headsFirst(given.value), cache);
  const query = headsFirst(turn(given.query));
  const limit = node.int('local_window_size', -1);
  const band = bandBiasOf(node, query.dataType, queries, cache.keys, {
    offset: cache.before,
    left: limit < 1 ? undefined : limit - 1,
    right: 0,
  });
  const extra = node.optional(10);
  const bias = sumOf(node, [extra && withRoom(node, extra, cache.keys), band]);
  const sink = node.optional(11) ?? (node.int('smooth_softmax', 0) > 0 ? constant(query.dataType, [1], 0) : undefined);
  const made = attend(node, {
    ...{ query, key, value, bias, sink },
    scale: scaleOf(node, size),
    softcap: node.float('softcap', 0),
  });
  return [withoutHeads(node, made.output), node.packed(key), node.packed(value)];
}

/** [batch, length, heads, size], from their own inputs or from one. */
function groupProjections(node: Node, heads: number, keyHeads: number): Projections {
  const [input, key, value] = [node.input(0), node.optional(1), node.optional(2)];
  const [batch = 1, length = 1, width = 1] = input.dims;
  const size = key === undefined ? width / (heads + 2 * keyHeads) : width / heads;
  const parts =
    key === undefined || value === undefined
      ? divided(node, input, input.dims.length - 1, [heads * size, keyHeads * size, keyHeads * size])
      : [input, key, value];
  const [first, second, third] = parts.map((each) => node.reshape(each, [batch, length, (each.dims[2] ?? 1) / size, size]));
  if (first === undefined || second === undefined || third === undefined) throw new RangeError('keys or values are missing');
  return { query: first, key: second, value: third };
}

/** The first call fills the cache from its beginning; later ones append to what each sample has. */
function precedingKeys(node: Node, batch: number, queries: number, total: number): Operand {
  if (queries === total) return constant('int32', [batch], 0);
  const last = node.reshape(node.cast(node.input(5), 'int32'), [batch]);
  return node.arithmetic('elementWiseSubtract', last, constant('int32', [batch], queries - 1));
}

/** The rotation of queries and keys by their places, if the operator has it. */
function rotationOf(node: Node, { before }: Cache, batch: number, length: number): (input: Operand) => Operand {
  if (!node.flag('do_rotary')) return (input) => input;
  const places = node.reshape(before, [batch, 1]);
  const positions = node.optional(9) ?? node.arithmetic('elementWiseAdd', places, vector('int32', upTo(length)));
  const [cosines, sines] = [node.input(7), node.input(8)].map((table) => taken(node, table, 0, positions));
  if (cosines === undefined || sines === undefined) throw new RangeError('the tables of angles are missing');
  const rotation = { cosines, sines, isInterleaved: node.flag('rotary_interleaved') };
  return (input) => rotated(node, input, rotation, 1);
}

/** The cache with new keys or values written to their places. */
function cached(node: Node, past: Operand | undefined, input: Operand, { before, keys }: Cache): Operand {
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
  const own = bias.dims.at(-1) ?? 1;
  const none = bias.dims.map(() => 0);
  return own === 1 ? bias : padded(node, bias, none, [...none.slice(1), Math.max(0, keys - own)]);
}

/** Positions are given for each word, or for the first one. */
function rotaryEmbedding(node: Node): Operand {
  const [input, given, cosines, sines] = [node.input(0), node.input(1), node.input(2), node.input(3)];
  if (node.flag('is_packed_batching')) throw node.unsupported('the attribute', 'is_packed_batching');
  const isFlat = input.dims.length === 3;
  const [batch = 1, length = 1] = isFlat ? input.dims : [input.dims[0], input.dims[2]];
  const turning = 2 * (cosines.dims[1] ?? 1);
  const dimension = node.int('rotary_embedding_dim', 0);
  if (dimension > 0 && dimension !== turning) throw new RangeError(`${turning / 2} cosines for ${dimension} elements`);
  const size = dimension > 0 ? sizeOf(node, input) : turning;
  const split = isFlat ? node.reshape(input, [batch, length, (input.dims[2] ?? 1) / size, size]) : input;
  const positions = productOf(given.dims) === 1 ? counted(node, given, batch, length) : given;
  const [turns, heights] = [cosines, sines].map((table) => taken(node, table, 0, positions));
  if (turns === undefined || heights === undefined) throw new RangeError('the tables of angles are missing');
  const rotation = { cosines: turns, sines: heights, isInterleaved: node.flag('interleaved') };
  const made = reshaped(rotated(node, split, rotation, isFlat ? 1 : 2), input.dims);
  const scale = node.float('scale', 1);
  return scale === 1 ? made : node.scaled(made, scale);
}

function sizeOf(node: Node, { dims }: Operand): number {
  return dims.length === 3 ? (dims[2] ?? 1) / headCount(node, 'num_heads') : (dims[3] ?? 1);
}

function counted(node: Node, first: Operand, batch: number, length: number): Operand {
  const places = node.arithmetic('elementWiseAdd', node.reshape(first, [1]), vector(first.dataType, upTo(length)));
  return broadcast(places, [batch, length]);
}
