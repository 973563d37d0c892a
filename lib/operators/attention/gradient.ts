/** Gradients of attention, which is computed again: products with the keys, softmax, and products with the values. */
import { along, Composed, packed, parts } from '../../descriptors/gradient.js';
import type { Expression, GradientRules, NodeFields, Operations } from '../../descriptors/gradient.js';
import { productOf } from '../../tensors/tensor-size.js';

type Node = NodeFields<'multiheadAttention' | 'multiheadAttention1'>;

/** Queries, keys and values as [batch, length, heads, size], with their biases. */
function sourcesOf(node: Node, heads: readonly number[], o: Operations): readonly Expression[] {
  const stacked = (value: Expression | null) => {
    if (value === null) return [];
    const { sizes } = value;
    return parts(value, 3, sizes[3] ?? 1, o).map((each) => packed(each, o).reshape(sizes.toSpliced(3, 1)));
  };
  const alone = (value: Expression | null, count = 1) => {
    if (value === null) return [];
    const [batch = 1, length = 1, hidden = 1] = value.sizes.slice(-3);
    return [packed(value, o).reshape([batch, length, count, hidden / count])];
  };
  const { stackedQueryKeyTensor, stackedKeyValueTensor, stackedQueryKeyValueTensor } = node;
  const all = [
    ...alone(node.queryTensor, heads[0]),
    ...stacked(stackedQueryKeyValueTensor),
    ...stacked(stackedQueryKeyTensor),
    ...alone(node.keyTensor, heads[1]),
    ...stacked(stackedKeyValueTensor),
    ...alone(node.valueTensor, heads[1]),
  ];
  const { biasTensor } = node;
  if (biasTensor === null) return all;
  const line = packed(biasTensor, o).reshape([productOf(biasTensor.sizes)]);
  const outputTensors = all.map(({ sizes }) => ({ sizes: [productOf(sizes.slice(2))] }));
  const biases = o.split(line, { axis: 0, outputTensors }) as unknown as readonly Expression[];
  return all.map((value, i) => o.add(value, biases[i]?.reshape([1, 1, ...value.sizes.slice(2)]).broadcastTo(value.sizes)));
}

/** Scores [batch, heads, queries, keys] with the bias of relative positions and the filter value for masked keys. */
function masked(node: Node, scores: Expression, o: Operations): Expression {
  const { maskTensor, relativePositionBiasTensor: relative, maskType, maskFilterValue: filter } = node;
  const { sizes } = scores;
  const [batch = 1, , queries = 1, keys = 1] = sizes;
  // DirectML scales the bias beside a boolean mask.
  const isScaled = maskType === 'boolean';
  const bias = relative && packed(isScaled ? o.multiply(relative, node.scale) : relative, o).reshape(sizes);
  const biased = bias === null ? scores : o.add(scores, bias);
  if (maskTensor === null) return biased;
  const mask = packed(maskTensor, o);
  if (isScaled) {
    const isOpen = o.cast(mask.reshape(sizes), { outputTensor: { dataType: scores.dataType } });
    return o.add(biased, o.multiply(o.subtract(1, isOpen), filter));
  }
  const line = mask.reshape([productOf(mask.sizes)]);
  const perBatch = (start: number) => along(line, 0, start, batch, o).reshape([batch, 1, 1, 1]).broadcastTo(sizes);
  const counted = (...own: readonly number[]) => o.constant('int32', own, [...Array(productOf(own)).keys()]).broadcastTo(sizes);
  const isBetween = (low: Expression | number, value: Expression, end: Expression) =>
    o.logicalAnd(o.logicalGreaterThanOrEqual(value, low), o.logicalLessThan(value, end));
  if (maskType === 'keyQuerySequenceLengthStartEnd') {
    const [start, length] = [perBatch(2 * batch + 1), perBatch(0)];
    const ofQuery = isBetween(perBatch(batch), counted(batch, 1, queries, 1), perBatch(batch + 1));
    const ofKey = isBetween(start, counted(batch, 1, 1, keys), o.add(start, length));
    return o.if(o.logicalAnd(ofQuery, ofKey), biased, o.add(biased, filter));
  }
  const [start, end] = [maskType === 'keySequenceLength' ? 0 : perBatch(batch), perBatch(0)];
  // A range that ends at or before its start masks nothing.
  const isOpen = o.logicalOr(isBetween(start, counted(1, 1, 1, keys), end), o.logicalLessThanOrEqual(end, start));
  return o.if(isOpen, biased, o.add(scores, filter));
}

/** Consecutive heads of queries share a head of keys and values: together they are as one head with more queries. */
function attention(node: Node, queryHeads: number, heads: number, o: Operations): Composed {
  const [query, key, value] = sourcesOf(node, [queryHeads, heads], o).map((each) => packed(each.transpose([0, 2, 1, 3]), o));
  if (query === undefined || key === undefined || value === undefined) throw new TypeError('attention has all three');
  const [batch = 1, , length = 1, size = 1] = query.sizes;
  const all = (past: Expression | null, own: Expression) =>
    past === null ? own : o.join([packed(past, o).reshape(past.sizes.slice(-4)), own], { axis: 2 });
  const [keys, values] = [all(node.pastKeyTensor, key), all(node.pastValueTensor, value)];
  const rows = query.reshape([batch, heads, (queryHeads / heads) * length, size]);
  const scores = o.gemm(rows, keys, { transB: 'transpose', alpha: node.scale });
  const whole = [batch, queryHeads, length, keys.sizes[2] ?? 1];
  const weights = o.activationSoftmax1(masked(node, scores.reshape(whole), o), { axes: [3] });
  const made = o.gemm(weights.reshape(scores.sizes), values);
  return new Composed({
    outputTensor: made.reshape([batch, queryHeads, length, values.sizes[3] ?? 1]).transpose([0, 2, 1, 3]),
    outputPresentKeyTensor: keys,
    outputPresentValueTensor: values,
  });
}

export const gradients: GradientRules<'multiheadAttention' | 'multiheadAttention1'> = {
  multiheadAttention: (node, _, o) => attention(node, node.headCount, node.headCount, o),
  multiheadAttention1: (node, _, o) =>
    node.pastSequenceLengthsTensor === null
      ? attention(node, node.queryHeadCount, node.keyValueHeadCount, o)
      : 'with pastSequenceLengthsTensor it adds to a cache that earlier calls filled',
};
