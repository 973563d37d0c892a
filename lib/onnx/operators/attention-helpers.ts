/** Attention: which values each query takes, by its products with keys. */
import type { DataType } from '../../schema/generated/enums.js';
import { productOf } from '../../validation/tensor-size.js';
import { vector } from '../make-data.js';
import { boolean, like, type Node } from '../node.js';
import { broadcast, Output, permuted, reshaped, withLayout, type Operand } from '../operand.js';
import { matMul } from './matrix-helpers.js';
import { joined, padded, partOf } from './move-helpers.js';
import { choose, constant, reduced, upTo } from './tensor-helpers.js';

export interface Attention {
  /** [batch, heads, queries, head size] */
  readonly query: Operand;
  /** [batch, heads of keys, keys, head size], of which each serves as many heads of queries. */
  readonly key: Operand;
  readonly value: Operand;
  readonly scale: number;
  readonly softcap?: number;
  /** What is added to the products; it broadcasts to [batch, heads, queries, keys]. */
  readonly bias?: Operand | undefined;
  /** True if the bias may be -Infinity for all keys of a query: its results are 0. */
  readonly mayMaskAll?: boolean;
  readonly precision?: DataType;
  /** One more product for each head, whose weight is lost: [heads] or a single number. */
  readonly sink?: Operand | undefined;
}

export interface Attended {
  /** [batch, heads, queries, head size of values] */
  readonly output: Operand;
  readonly products: Operand;
  readonly capped: Operand;
  readonly biased: Operand;
  readonly weights: Operand;
}

export function attend(node: Node, how: Attention): Attended {
  const { query, key, value, scale, softcap = 0, bias } = how;
  const [batch = 1, heads = 1, queries = 1, size = 1] = query.dims;
  const [, keyHeads = 1, keys = 1] = key.dims;
  if (heads % keyHeads !== 0) throw new RangeError(`${keyHeads} heads of keys do not divide ${heads} heads of queries`);
  const shared = (heads / keyHeads) * queries;
  const rows = heads === keyHeads ? query : node.reshape(query, [batch, keyHeads, shared, size]);
  const products = reshaped(matMul(node, rows, permuted(key, [0, 1, 3, 2]), scale), [batch, heads, queries, keys]);
  const capped = softcap > 0 ? softCapped(node, products, softcap) : products;
  const biased = bias === undefined ? capped : node.arithmetic('elementWiseAdd', capped, bias);
  const weights = weightsOf(node, biased, how);
  const factors = heads === keyHeads ? weights : reshaped(weights, [batch, keyHeads, shared, keys]);
  const output = reshaped(matMul(node, factors, value), [batch, heads, queries, value.dims[3] ?? 1]);
  return { output, products, capped, biased, weights };
}

function softCapped(node: Node, products: Operand, softcap: number): Operand {
  return node.scaled(node.map('elementWiseTanh', products, { scaleBias: { scale: 1 / softcap, bias: 0 } }), softcap);
}

function weightsOf(node: Node, biased: Operand, { bias, mayMaskAll = false, precision, sink }: Attention): Operand {
  const { dataType, dims } = biased;
  const keys = dims[3] ?? 1;
  const given = node.cast(biased, precision ?? dataType);
  const full = sink === undefined ? given : joined(node, [given, sinkOf(node, sink, given)], 3);
  const all = node.map('activationSoftmax1', full, { axes: [3] });
  const weights = node.cast(sink === undefined ? all : partOf(node, all, 3, 0, keys), dataType);
  if (bias === undefined || !mayMaskAll || keys === 0) return node.packed(weights);
  const masked = node.add('elementWiseIsInfinity', {
    inputTensor: bias,
    outputTensor: boolean(bias.dims),
    infinityMode: 'negative',
  });
  const rows = reduced(node, 'min', masked, [bias.dims.length - 1]);
  return choose(node, rows, constant(dataType, dims, 0), weights);
}

function sinkOf(node: Node, sink: Operand, { dataType, dims }: Operand): Operand {
  const [batch = 1, heads = 1, queries = 1] = dims;
  const own = productOf(sink.dims) === 1 ? sink.dims : [heads, 1, 1];
  return node.packed(broadcast(node.cast(node.reshape(sink, own), dataType), [batch, heads, queries, 1]));
}

/** Heads that lie next to each other, [batch, length, heads × size], as [batch, heads, length, size]. */
export function headsOf(node: Node, input: Operand, heads: number): Operand {
  const [batch = 1, length = 1, width = 1] = input.dims;
  if (heads < 1 || width % heads !== 0) throw new RangeError(`${heads} heads do not divide ${width} elements`);
  return permuted(node.reshape(input, [batch, length, heads, width / heads]), [0, 2, 1, 3]);
}

/** The other way around. */
export function withoutHeads(node: Node, input: Operand): Operand {
  const [batch = 1, heads = 1, length = 1, size = 1] = input.dims;
  return node.reshape(permuted(input, [0, 2, 1, 3]), [batch, length, heads * size]);
}

/** Which keys a query sees, relative to its own place; undefined for no limit. */
export interface Band {
  /** How many keys precede the first query. */
  readonly offset: number;
  readonly left: number | undefined;
  readonly right: number | undefined;
}

/** -Infinity for the keys outside of the band, else 0; undefined if none is. */
export function bandBias(
  node: Node,
  dataType: DataType,
  queries: number,
  keys: number,
  { offset, left, right }: Band,
): Operand | undefined {
  const limits = [
    right !== undefined && offset + right + 1 < keys ? [Math.max(-queries, offset + right + 1), keys] : null,
    left !== undefined && offset - left > 1 - queries ? [-queries, Math.min(keys, offset - left)] : null,
  ];
  return limits.reduce<Operand | undefined>((bias, limit) => {
    if (limit === null || productOf([queries, keys]) === 0) return bias;
    return node.add('diagonalMatrix1', {
      inputTensor: bias,
      outputTensor: new Output(dataType, [queries, keys]),
      valueDataType: dataType,
      value: -Infinity,
      diagonalFillBegin: limit[0],
      diagonalFillEnd: limit[1],
    });
  }, undefined);
}

/** The same for offsets that differ from sample to sample, as int32 [batch]. */
export function bandBiasOf(
  node: Node,
  dataType: DataType,
  queries: number,
  keys: number,
  { offset, left, right }: { offset: Operand; left: number | undefined; right: number | undefined },
): Operand | undefined {
  const places = node.arithmetic('elementWiseAdd', node.reshape(offset, [productOf(offset.dims), 1, 1, 1]), column(queries));
  const numbers = vector('int32', upTo(keys));
  const moved = (by: number) => node.arithmetic('elementWiseAdd', places, vector('int32', [by]));
  const tests = [
    right === undefined ? null : compare(node, 'elementWiseLogicalLessThanOrEqual', numbers, moved(right)),
    left === undefined ? null : compare(node, 'elementWiseLogicalGreaterThanOrEqual', numbers, moved(-left)),
  ].filter((test) => test !== null);
  if (tests.length === 0) return undefined;
  return biasWhere(
    node,
    dataType,
    tests.reduce((a, b) => node.combine('elementWiseLogicalAnd', a, b, boolean)),
  );
}

function column(count: number): Operand {
  return withLayout(vector('int32', upTo(count)), [count, 1], [1, 0]);
}

type Comparison = 'elementWiseLogicalLessThan' | 'elementWiseLogicalLessThanOrEqual' | 'elementWiseLogicalGreaterThanOrEqual';

export function compare(node: Node, type: Comparison, a: Operand, b: Operand): Operand {
  return node.combine(type, a, b, boolean);
}

/** 0 where keys are open, and another number where they are not. */
export function biasWhere(node: Node, dataType: DataType, isOpen: Operand, closed = -Infinity): Operand {
  return choose(node, isOpen, constant(dataType, [], 0), constant(dataType, [], closed));
}

/** The sum of those that are given. */
export function sumOf(node: Node, all: readonly (Operand | undefined)[]): Operand | undefined {
  const given = all.filter((each) => each !== undefined);
  return given.length === 0 ? undefined : given.reduce((a, b) => node.arithmetic('elementWiseAdd', a, b));
}

/** A mask for fewer keys than there are masks the others. */
export function longEnough(node: Node, mask: Operand, keys: number): Operand {
  const missing = keys - (mask.dims.at(-1) ?? keys);
  if (missing <= 0) return mask;
  const none = mask.dims.map(() => 0);
  return padded(node, mask, none, [...none.slice(1), missing], mask.isBool ? 0 : -Infinity);
}

/** Keys or values with those of earlier calls before them, [batch, heads, length, size]. */
export function withPast(node: Node, past: Operand | undefined, input: Operand): Operand {
  return past === undefined ? input : joined(node, [past, input], 2);
}

/** The places of a cache for so many tokens: 16, 32, 64, ... */
export function roomFor(tokens: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(tokens, 16)));
}

export interface Rotation {
  /** [positions, size / 2], or already looked up: [batch, length, size / 2]. */
  readonly cosines: Operand;
  readonly sines: Operand;
  readonly isInterleaved: boolean;
}

/** Rotates pairs of elements. The input is [batch, length, heads, size], or with the heads before the length. */
export function rotated(node: Node, input: Operand, { cosines, sines, isInterleaved }: Rotation, lengthAxis: 1 | 2): Operand {
  const size = input.dims[3] ?? 1;
  const half = cosines.dims.at(-1) ?? 1;
  if (2 * half > size) throw new RangeError(`${half} cosines for heads of ${size} elements`);
  const own = 2 * half === size ? input : partOf(node, input, 3, 0, 2 * half);
  const outer = input.dims.slice(0, 3);
  const axis = isInterleaved ? 4 : 3;
  const pairs = node.reshape(own, [...outer, ...(isInterleaved ? [half, 2] : [2, half])]);
  const angles = (operand: Operand) => besidePairs(node, operand, lengthAxis, isInterleaved);
  const signs = withLayout(vector(input.dataType, [-1, 1]), isInterleaved ? [1, 2] : [2, 1], isInterleaved ? [0, 1] : [1, 0]);
  const signed = node.arithmetic('elementWiseMultiply', angles(sines), signs);
  const exchanged = partOf(node, pairs, axis, 0, 2, -1);
  const turned = node.arithmetic(
    'elementWiseAdd',
    node.arithmetic('elementWiseMultiply', pairs, angles(cosines)),
    node.arithmetic('elementWiseMultiply', exchanged, signed),
  );
  const result = node.reshape(turned, [...outer, 2 * half]);
  return own === input ? result : joined(node, [result, partOf(node, input, 3, 2 * half, size)], 3);
}

/** [batch, length, half] beside heads and pairs. */
function besidePairs(node: Node, operand: Operand, lengthAxis: 1 | 2, isInterleaved: boolean): Operand {
  const [batch = 1, length = 1, half = 1] = operand.dims;
  const heads = lengthAxis === 1 ? [length, 1] : [1, length];
  return node.reshape(operand, [batch, ...heads, ...(isInterleaved ? [half, 1] : [1, half])]);
}

/** The operator of DirectML for queries, keys and values with heads next to each other, without a bias. */
export function fused(
  node: Node,
  tensors: { query: Operand; key: Operand; value: Operand; pastKey: Operand | undefined; pastValue: Operand | undefined },
  counts: { heads: number; keyHeads: number; scale: number; hasPresent: boolean },
): readonly (Operand | undefined)[] {
  const { query, key, value, pastKey, pastValue } = tensors;
  const { heads, keyHeads, scale, hasPresent } = counts;
  const [batch = 1, queries = 1] = query.dims;
  const length = (key.dims[1] ?? 1) + (pastKey?.dims[2] ?? 0);
  const [size, valueSize] = [key, value].map(({ dims }) => (dims[2] ?? 1) / keyHeads);
  const present = (own: number | undefined) => (hasPresent ? like(query, [batch, keyHeads, length, own ?? 1]) : undefined);
  const made = node.addAll('multiheadAttention1', {
    queryTensor: query,
    keyTensor: key,
    valueTensor: value,
    pastKeyTensor: pastKey,
    pastValueTensor: pastValue,
    outputTensor: like(query, [batch, queries, heads * (valueSize ?? 1)]),
    outputPresentKeyTensor: present(size),
    outputPresentValueTensor: present(valueSize),
    scale,
    queryHeadCount: heads,
    keyValueHeadCount: keyHeads,
    maskType: 'none',
  });
  return ['outputTensor', 'outputPresentKeyTensor', 'outputPresentValueTensor'].map((name) => made[name]?.[0]);
}
