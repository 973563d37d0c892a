/**
 * Attention in ONNX. ONNX has one tensor that is added to the scores and no counterpart of DirectML's masks. So the masks
 * are turned into that tensor here; docs/differences.md describes what they mean.
 */
import type { WholeDescriptor } from '../../cases/case.js';
import { NoCounterpart, type Graph } from '../../networks/case-graph.js';
import type { Value } from '../../networks/onnx-nodes.js';

type Descriptor = WholeDescriptor<'multiheadAttention' | 'multiheadAttention1'>;

/** Far above any value of an ordinary case, and above any integer in a mask. */
const LARGEST = 1000;

interface Shape {
  readonly batch: number;
  readonly heads: number;
  readonly queries: number;
  /** Including past keys. */
  readonly keys: number;
}

export function multiheadAttention(graph: Graph, descriptor: WholeDescriptor<'multiheadAttention'>): void {
  attention(graph, descriptor, descriptor.headCount, descriptor.headCount);
}

export function multiheadAttention1(graph: Graph, descriptor: WholeDescriptor<'multiheadAttention1'>): void {
  if (descriptor.pastSequenceLengthsTensor) throw new NoCounterpart('with keys and values in a ring');
  attention(graph, descriptor, descriptor.queryHeadCount, descriptor.keyValueHeadCount);
}

function attention(graph: Graph, descriptor: Descriptor, heads: number, keyHeads: number): void {
  // DirectML sums in an order of its own, which matters if large values cancel. ONNX ignores a NaN among the scores.
  if (!graph.isWithin(LARGEST)) throw new NoCounterpart('with infinities, NaN or values that take the digits of others');
  const parts = biased(graph, [
    part(graph, descriptor, 'queryTensor', heads, { stackedQueryKeyTensor: 0, stackedQueryKeyValueTensor: 0 }),
    part(graph, descriptor, 'keyTensor', keyHeads, {
      stackedQueryKeyTensor: 1,
      stackedKeyValueTensor: 0,
      stackedQueryKeyValueTensor: 1,
    }),
    part(graph, descriptor, 'valueTensor', keyHeads, { stackedKeyValueTensor: 1, stackedQueryKeyValueTensor: 2 }),
  ]);
  const [query = '', newKeys = '', newValues = ''] = parts.map(({ value }) => headsFirst(graph, value));
  const keys = behind(graph, 'pastKeyTensor', descriptor.pastKeyTensor?.sizes.slice(-4), newKeys);
  const values = behind(graph, 'pastValueTensor', descriptor.pastValueTensor?.sizes.slice(-4), newValues);
  const [batch = 1, queries = 1] = parts[0]?.sizes ?? [];
  const past = descriptor.pastKeyTensor?.sizes.at(-2) ?? 0;
  const shape = { batch, heads, queries, keys: past + (parts[1]?.sizes[1] ?? 1) };
  const added = graph.constant('float32', [batch, heads, queries, shape.keys], biasAndMask(graph, descriptor, shape));
  // ONNX's own scale must be positive.
  const scaled = graph.node('Mul', [query, graph.float32(descriptor.scale)]);
  const output = graph.node('Attention', [scaled, keys, values, added], { scale: { float: 1 } });
  graph.output('outputTensor', headsFirst(graph, output));
  graph.output('outputPresentKeyTensor', keys);
  graph.output('outputPresentValueTensor', values);
}

/** Queries, keys or values before their bias. */
interface Part {
  readonly value: Value | null;
  /** [batch, length, heads, size] */
  readonly sizes: readonly number[];
}

/** The field's own tensor, or its slice of a stacked tensor of the sizes [batch, length, heads, stacked, size]. */
function part(
  graph: Graph,
  descriptor: Descriptor,
  field: 'queryTensor' | 'keyTensor' | 'valueTensor',
  heads: number,
  stacks: Readonly<Record<string, number>>,
): Part {
  const alone = descriptor[field];
  if (alone) {
    const [batch = 1, length = 1, hidden = 1] = alone.sizes.slice(-3);
    const sizes = [batch, length, heads, hidden / heads];
    return { value: graph.floats(field, sizes), sizes };
  }
  const [name, place] = Object.entries(stacks).find(([stack]) => graph.sizesOf(stack) !== null) ?? ['', 0];
  const value = graph.node('Gather', [graph.floats(name), graph.integer(place)], { axis: 3 });
  return { value, sizes: (graph.sizesOf(name) ?? []).filter((_, axis) => axis !== 3) };
}

function biased(graph: Graph, parts: readonly Part[]): Part[] {
  const bias = graph.numbers('biasTensor');
  if (bias === null) return [...parts];
  let start = 0;
  return parts.map(({ value, sizes }) => {
    const [heads = 1, size = 1] = sizes.slice(-2);
    const own = graph.constant('float32', [heads, size], Float32Array.from(bias.subarray(start, (start += heads * size))));
    return { value: graph.node('Add', [value, own]), sizes };
  });
}

/** Swaps the middle dimensions: [batch, length, heads, size] becomes [batch, heads, length, size], and vice versa. */
function headsFirst(graph: Graph, value: Value | null): Value {
  return graph.node('Transpose', [value], { perm: [0, 2, 1, 3] });
}

function behind(graph: Graph, field: string, sizes: readonly number[] | undefined, value: Value): Value {
  const past = graph.floats(field, sizes);
  return past === null ? value : graph.node('Concat', [past, value], { axis: 2 });
}

/** The tensor that is added to the scores, of the sizes [batch, heads, queries, keys]. */
function biasAndMask(graph: Graph, descriptor: Descriptor, shape: Shape): Float32Array<ArrayBuffer> {
  const { batch, heads, queries, keys } = shape;
  const { maskType, maskFilterValue, scale } = descriptor;
  const bias = graph.numbers('relativePositionBiasTensor') ?? new Float64Array(batch * heads * queries * keys);
  const mask = graph.numbers('maskTensor');
  return Float32Array.from(bias, (position, i) => {
    if (mask === null || maskType === 'none') return position;
    const [item, query, key] = [Math.floor(i / (heads * queries * keys)), Math.floor(i / keys) % queries, i % keys];
    switch (maskType) {
      case 'boolean':
        return position * scale + (1 - (mask[i] ?? 0)) * maskFilterValue;
      case 'keyQuerySequenceLengthStartEnd':
        return position + (isOpen(mask, shape, item, query, key) ? 0 : maskFilterValue);
      default: {
        const [start, end] = maskType === 'keySequenceLength' ? [0, mask[item] ?? 0] : [mask[batch + item] ?? 0, mask[item] ?? 0];
        return start >= end || (key >= start && key < end) ? position : maskFilterValue;
      }
    }
  });
}

/**
 * True if the mask lets the query see the key. The mask has, for `batch` items: the key lengths (`batch` numbers), the query
 * starts with a final end (`batch` + 1), and the key starts with a final end (`batch` + 1).
 */
function isOpen(mask: Float64Array, { batch, queries, keys }: Shape, item: number, query: number, key: number): boolean {
  const [length = 0, queryStart = 0, queryEnd = 0] = [mask[item], mask[batch + item], mask[batch + item + 1]];
  const keyStart = mask[2 * batch + 1 + item] ?? 0;
  const [queryPlace, keyPlace] = [item * queries + query, item * keys + key];
  return queryPlace >= queryStart && queryPlace < queryEnd && keyPlace >= keyStart && keyPlace < keyStart + length;
}
