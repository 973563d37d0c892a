/** Attention: which values each query takes, by its products with keys. */
import type { DataType } from '../../tensors/generated/enums.js';
import { productOf } from '../../tensors/tensor-size.js';
import { vector } from '../make-data.js';
import { boolean, like, type Node } from '../node.js';
import { broadcast, Output, permuted, reshaped, withLayout, type Operand } from '../operand.js';
import { matMul } from './matrix-helpers.js';
import { joined, padded, partOf } from './move-helpers.js';
import { choose, constant, plus, reduced, upTo } from './tensor-helpers.js';

/** With heads next to each other, [batch, length, heads × size], or apart, [batch, heads, length, size]. */
export interface Projections {
  readonly query: Operand;
  readonly key: Operand;
  readonly value: Operand;
}

interface How {
  readonly scale: number;
  readonly softcap?: number;
  /** True if the bias may be -Infinity for all keys of a query: its results are 0. */
  readonly mayMaskAll?: boolean;
  readonly precision?: DataType | undefined;
  /** One more product for each head, whose weight is lost: [heads] or a single number. */
  readonly sink?: Operand | undefined;
}

interface HowWithPast extends How {
  readonly heads: number;
  /** Each serves as many heads of queries. */
  readonly keyHeads?: number;
  readonly pastKey: Operand | undefined;
  readonly pastValue: Operand | undefined;
  /** How new keys or values, with heads apart, come behind those of earlier calls. Default: they are joined. */
  readonly append?: (past: Operand | undefined, input: Operand) => Operand;
  /** What is added to products of queries with that many keys; null if the operator of DirectML computes the rest too. */
  readonly biases: ((query: Operand, keys: number) => readonly (Operand | undefined)[]) | null;
}

/** Attention to keys of earlier calls, and then to those of this one. The output has the layout of the query. */
export function attendWithPast(node: Node, given: Projections, how: HowWithPast) {
  const { heads, keyHeads = heads, pastKey, pastValue, biases } = how;
  const areFlat = Object.values(given).every(({ dims }: Operand) => dims.length === 3 && productOf(dims) > 0);
  if (areFlat && biases === null) return fused(node, given, { ...how, keyHeads });
  const apart = (input: Operand, count: number) => (input.dims.length === 3 ? headsOf(node, input, count) : input);
  const { append = (past, input) => (past === undefined ? input : joined(node, [past, input], 2)) } = how;
  const query = apart(given.query, heads);
  const key = append(pastKey, apart(given.key, keyHeads));
  const value = append(pastValue, apart(given.value, keyHeads));
  const bias = sumOf(node, biases?.(query, key.dims[2] ?? 1) ?? []);
  const { output, stages } = attend(node, { query, key, value }, how, bias);
  return { output: given.query.dims.length === 3 ? withoutHeads(node, output) : output, key, value, stages };
}

/** The operator of DirectML for heads next to each other, without a bias. */
function fused(node: Node, { query, key, value }: Projections, how: HowWithPast & { keyHeads: number }) {
  const { heads, keyHeads, scale } = how;
  const [pastKeyTensor, pastValueTensor] = [how.pastKey, how.pastValue].map((past) =>
    past === undefined || productOf(past.dims) === 0 ? undefined : past,
  );
  const [batch = 1, queries = 1] = query.dims;
  const length = (key.dims[1] ?? 1) + (pastKeyTensor?.dims[2] ?? 0);
  const [size, valueSize] = [(key.dims[2] ?? 1) / keyHeads, (value.dims[2] ?? 1) / keyHeads];
  const present = (own: number) => (node.has(1) || node.has(2) ? like(query, [batch, keyHeads, length, own]) : undefined);
  const made = node.addAll('multiheadAttention1', {
    ...{ queryTensor: query, keyTensor: key, valueTensor: value, pastKeyTensor, pastValueTensor },
    outputTensor: like(query, [batch, queries, heads * valueSize]),
    outputPresentKeyTensor: present(size),
    outputPresentValueTensor: present(valueSize),
    ...{ scale, queryHeadCount: heads, keyValueHeadCount: keyHeads, maskType: 'none' },
  });
  const { outputTensor: output, outputPresentKeyTensor, outputPresentValueTensor } = made;
  return { output, key: outputPresentKeyTensor, value: outputPresentValueTensor, stages: [] as readonly Operand[] };
}

/** With heads apart. The bias broadcasts to [batch, heads, queries, keys]. The stages are products, capped, biased and weights. */
export function attend(node: Node, { query, key, value }: Projections, how: How, bias: Operand | undefined) {
  const [batch = 1, heads = 1, queries = 1, size = 1] = query.dims;
  const [, keyHeads = 1, keys = 1] = key.dims;
  if (heads % keyHeads !== 0) throw new RangeError(`${keyHeads} heads of keys do not divide ${heads} heads of queries`);
  const { scale, softcap = 0 } = how;
  const shared = (heads / keyHeads) * queries;
  const rows = heads === keyHeads ? query : node.reshape(query, [batch, keyHeads, shared, size]);
  const products = reshaped(matMul(node, rows, permuted(key, [0, 1, 3, 2]), scale), [batch, heads, queries, keys]);
  const limited = { scaleBias: { scale: 1 / softcap, bias: 0 } };
  const capped = softcap > 0 ? node.scaled(node.map('elementWiseTanh', products, limited), softcap) : products;
  const biased = plus(node, capped, bias);
  const weights = weightsOf(node, biased, how, bias);
  const factors = heads === keyHeads ? weights : reshaped(weights, [batch, keyHeads, shared, keys]);
  const output = reshaped(matMul(node, factors, value), [batch, heads, queries, value.dims[3] ?? 1]);
  return { output, stages: [products, capped, biased, weights] };
}

function weightsOf(node: Node, biased: Operand, { mayMaskAll, precision, sink }: How, bias: Operand | undefined): Operand {
  const { dataType, dims } = biased;
  const keys = dims[3] ?? 1;
  const given = node.cast(biased, precision ?? dataType);
  const own = sink && node.reshape(sink, productOf(sink.dims) === 1 ? sink.dims : [dims[1] ?? 1, 1, 1]);
  const last = own && node.packed(broadcast(node.cast(own, given.dataType), dims.with(3, 1)));
  const full = last === undefined ? given : joined(node, [given, last], 3);
  const all = node.map('activationSoftmax1', full, { axes: [3] });
  const weights = node.cast(partOf(node, all, 3, 0, keys), dataType);
  if (bias === undefined || mayMaskAll !== true || keys === 0) return node.packed(weights);
  const fields = { inputTensor: bias, outputTensor: boolean(bias.dims), infinityMode: 'negative' };
  const rows = reduced(node, 'min', node.add('elementWiseIsInfinity', fields), [bias.dims.length - 1]);
  return choose(node, rows, constant(dataType, dims, 0), weights);
}

export function headCount(node: Node, name = 'num_heads'): number {
  const count = node.int(name, 0);
  if (count < 1) throw new RangeError(`the attribute ${name} is missing`);
  return count;
}

/** Heads that lie next to each other, [batch, length, heads × size], as [batch, heads, length, size]. */
export function headsOf(node: Node, input: Operand, heads: number): Operand {
  const [batch = 1, length = 1, width = 1] = input.dims;
  if (width % heads !== 0) throw new RangeError(`${heads} heads do not divide ${width} elements`);
  return permuted(node.reshape(input, [batch, length, heads, width / heads]), [0, 2, 1, 3]);
}

/** The other way around. */
export function withoutHeads(node: Node, input: Operand): Operand {
  const [batch = 1, heads = 1, length = 1, size = 1] = input.dims;
  return node.reshape(permuted(input, [0, 2, 1, 3]), [batch, length, heads * size]);
}

/** Which keys a query sees, relative to its own place; undefined for no limit. */
interface Band<Offset> {
  /** How many keys precede the first query. */
  readonly offset: Offset;
  readonly left?: number | undefined;
  readonly right?: number | undefined;
}

/** -Infinity for the keys outside of the band, else 0; undefined if none is. */
export function bandBias(node: Node, dataType: DataType, queries: number, keys: number, band: Band<number>) {
  const { offset, left, right } = band;
  const limits = [
    right !== undefined && offset + right + 1 < keys ? [Math.max(-queries, offset + right + 1), keys] : null,
    left !== undefined && offset - left > 1 - queries ? [-queries, Math.min(keys, offset - left)] : null,
  ];
  return limits.reduce<Operand | undefined>((bias, limit) => {
    if (limit === null || queries * keys === 0) return bias;
    return node.add('diagonalMatrix1', {
      inputTensor: bias,
      outputTensor: new Output(dataType, [queries, keys]),
      ...{ valueDataType: dataType, value: -Infinity, diagonalFillBegin: limit[0], diagonalFillEnd: limit[1] },
    });
  }, undefined);
}

/** The same for offsets that differ from sample to sample, as int32 [batch]. */
export function bandBiasOf(node: Node, dataType: DataType, queries: number, keys: number, band: Band<Operand>) {
  const { offset, left, right } = band;
  const column = withLayout(vector('int32', upTo(queries)), [queries, 1], [1, 0]);
  const places = node.arithmetic('elementWiseAdd', node.reshape(offset, [productOf(offset.dims), 1, 1, 1]), column);
  const test = (comparison: 'LessThanOrEqual' | 'GreaterThanOrEqual', by: number | undefined) => {
    if (by === undefined) return [];
    const moved = node.arithmetic('elementWiseAdd', places, vector('int32', [by]));
    return [node.combine(`elementWiseLogical${comparison}`, vector('int32', upTo(keys)), moved, boolean)];
  };
  const [first, ...others] = [...test('LessThanOrEqual', right), ...test('GreaterThanOrEqual', left && -left)];
  const and = (a: Operand, b: Operand) => node.combine('elementWiseLogicalAnd', a, b, boolean);
  return first && biasWhere(node, dataType, others.reduce(and, first));
}

/** 0 where keys are open, and another number where they are not. */
export function biasWhere(node: Node, dataType: DataType, isOpen: Operand, closed = -Infinity): Operand {
  return choose(node, isOpen, constant(dataType, [], 0), constant(dataType, [], closed));
}

/** The sum of those that are given. */
export function sumOf(node: Node, all: readonly (Operand | undefined)[]): Operand | undefined {
  return all.reduce((a, b) => (a === undefined ? b : plus(node, a, b)), undefined);
}

/** A mask or bias with as many keys as there are at least. */
export function longEnough(node: Node, mask: Operand, keys: number, value = 0): Operand {
  const none = mask.dims.map(() => 0);
  return padded(node, mask, none, [...none.slice(1), Math.max(0, keys - (mask.dims.at(-1) ?? keys))], value);
}

/** The places of a cache for so many tokens: 16, 32, 64, ... */
export function roomFor(tokens: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(tokens, 16)));
}

interface Rotation {
  /** [positions, size / 2], or already looked up: [batch, length, size / 2]. */
  readonly cosines: Operand;
  readonly sines: Operand;
  readonly isInterleaved: boolean;
}

/** Rotates pairs of elements. The input is [batch, length, heads × size], or [batch, heads, length, size]. */
export function rotated(node: Node, input: Operand, headSize: number, { cosines, sines, isInterleaved }: Rotation): Operand {
  const isFlat = input.dims.length === 3;
  const [batch = 1, length = 1, width = 1] = input.dims;
  const split = isFlat ? node.reshape(input, [batch, length, width / headSize, headSize]) : input;
  const size = split.dims[3] ?? 1;
  const half = cosines.dims.at(-1) ?? 1;
  if (2 * half > size) throw new RangeError(`${half} cosines for heads of ${size} elements`);
  const own = partOf(node, split, 3, 0, 2 * half);
  const outer = split.dims.slice(0, 3);
  // A pair lies side by side, or one half of the elements apart.
  const beside = (one: number) => (isInterleaved ? [half, one] : [one, half]);
  const pairs = node.reshape(own, [...outer, ...beside(2)]);
  const angles = (table: Operand) => {
    const [samples = 1, places = 1] = table.dims;
    return node.reshape(table, [samples, ...(isFlat ? [places, 1] : [1, places]), ...beside(1)]);
  };
  const signs = withLayout(vector(input.dataType, [-1, 1]), isInterleaved ? [1, 2] : [2, 1], isInterleaved ? [0, 1] : [1, 0]);
  const signed = node.arithmetic('elementWiseMultiply', angles(sines), signs);
  const exchanged = partOf(node, pairs, isInterleaved ? 4 : 3, 0, 2, -1);
  const turned = node.arithmetic(
    'elementWiseAdd',
    node.arithmetic('elementWiseMultiply', pairs, angles(cosines)),
    node.arithmetic('elementWiseMultiply', exchanged, signed),
  );
  const result = node.reshape(turned, own.dims);
  const all = 2 * half === size ? result : joined(node, [result, partOf(node, split, 3, 2 * half, size)], 3);
  return node.reshape(all, input.dims);
}
