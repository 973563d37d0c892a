/** What copies and transposes before an operator become: which of its fields change, and how. */
import type { DataType, Value } from 'node-directml';
import { describe, expect, test } from 'vitest';
import { GraphBuilder } from '#lib/graph/graph-builder.js';
import { improved } from '#lib/graph/improve/index.js';
import { highestFeatureLevel } from '#lib/descriptors/feature-level.js';
import { valuesOf } from '#lib/descriptors/resolved.js';

type Make = (add: (descriptor: object) => Value, input: (sizes: readonly number[]) => Value) => Value;

/** The last node of the improved graph, whose only output this is, and how many there are. */
function lastOf(make: Make, dataType: DataType = 'float32') {
  const builder = new GraphBuilder(highestFeatureLevel);
  let inputs = 0;
  const add = (descriptor: object) => builder.add(descriptor)['outputTensor'] as Value;
  const y = make(add, (sizes) => builder.input(`x${inputs++}`, { dataType, sizes }));
  const { nodes } = improved(builder.resolve({ y }), 'exact', highestFeatureLevel);
  const node = nodes.at(-1);
  return { count: nodes.length, fields: node && valuesOf(node.operator.descriptor), inputs: node?.inputs };
}

const copy = (inputTensor: Value) => ({ type: 'elementWiseIdentity', inputTensor });
const packed = (...sizes: number[]) => ({ sizes, strides: null });

describe('gemm', () => {
  test('transposes matrices by flags, and no longer those that were transposed', () => {
    const { count, fields } = lastOf((add, input) => {
      const aTensor = add(copy(input([4, 3]).transpose()));
      return add({ type: 'gemm', aTensor, bTensor: input([4, 5]).transpose(), transB: 'transpose' });
    });
    expect(count).toBe(1);
    expect(fields).toMatchObject({ transA: 'transpose', transB: 'none', aTensor: packed(4, 3), bTensor: packed(4, 5) });
  });

  test('transposes each matrix of a batch', () => {
    const { fields } = lastOf((add, input) => {
      const [a, b] = [input([2, 4, 3]), input([2, 4, 5])];
      return add({ type: 'gemm', aTensor: add(copy(a.transpose([0, 2, 1]))), bTensor: b });
    });
    expect(fields).toMatchObject({ transA: 'transpose', aTensor: packed(2, 4, 3) });
  });

  test('keeps the copy of a batch in another order', () => {
    const make: Make = (add, input) =>
      add({ type: 'gemm', aTensor: add(copy(input([3, 2, 4]).transpose([1, 0, 2]))), bTensor: input([2, 4, 5]) });
    expect(lastOf(make)).toMatchObject({ count: 2, fields: { transA: 'none' } });
  });

  const withFields =
    (more: (input: (sizes: readonly number[]) => Value) => object): Make =>
    (add, input) =>
      add({ type: 'gemm', aTensor: add(copy(input([4, 3]).transpose())), bTensor: input([4, 5]), ...more(input) });

  test('keeps strides that decide how DirectML rounds', () => {
    const bias = withFields((input) => ({ cTensor: input([3, 5]) }));
    expect(lastOf(bias)).toMatchObject({ count: 1, fields: { transA: 'transpose' } });
    expect(lastOf(bias, 'float16')).toMatchObject({ count: 2, fields: { transA: 'none' } });
    const plain = withFields(() => ({}));
    expect(lastOf(plain, 'float16')).toMatchObject({ count: 1, fields: { transA: 'transpose' } });
    const fused = withFields(() => ({ fusedActivation: { type: 'activationSoftmax1', axes: [1] } }));
    expect(lastOf(fused)).toMatchObject({ count: 2, fields: { transA: 'none' } });
  });
});

describe('an element-wise operator', () => {
  const halves = (input: Value) => input.reshape([2, 3, 4]).transpose([1, 0, 2]);

  test('reads what was copied by its strides', () => {
    const { count, fields } = lastOf((add, input) =>
      add({ type: 'elementWiseAbs', inputTensor: add(copy(halves(input([6, 4])))) }),
    );
    expect(count).toBe(1);
    expect(fields).toMatchObject({ inputTensor: { sizes: [3, 2, 4], strides: [4, 12, 1] } });
  });

  test('reads parts of a dimension, and dimensions that are one in both tensors', () => {
    const read = (sizes: readonly number[]) =>
      lastOf((add, input) => add({ type: 'elementWiseAbs', inputTensor: add(copy(halves(input([6, 4])))).reshape(sizes) }));
    expect(read([3, 2, 2, 2])).toMatchObject({ count: 1, fields: { inputTensor: { strides: [4, 12, 2, 1] } } });
    expect(read([3, 8])).toMatchObject({ count: 2 });
    const whole = lastOf((add, input) => {
      const copied = add(copy(input([4, 2, 3]).transpose([1, 2, 0])));
      return add({ type: 'elementWiseAbs', inputTensor: copied.reshape([6, 4]) });
    });
    expect(whole).toMatchObject({ count: 1, fields: { inputTensor: { sizes: [6, 4], strides: [1, 6] } } });
  });

  test('repeats what the copy repeats', () => {
    const repeated = lastOf((add, input) =>
      add({ type: 'elementWiseAbs', inputTensor: add(copy(input([1, 4]).broadcastTo([3, 4]))).transpose() }),
    );
    expect(repeated).toMatchObject({ count: 1, fields: { inputTensor: { sizes: [4, 3], strides: [1, 0] } } });
  });
});

test('an attention keeps a copy of its cache', () => {
  const builder = new GraphBuilder(highestFeatureLevel);
  const x = builder.input('x', { dataType: 'float32', sizes: [1, 1, 4] });
  const past = builder.input('past', { dataType: 'int32', sizes: [1] });
  const present = { sizes: [1, 1, 2, 4] };
  const made = builder.add({
    ...{ type: 'multiheadAttention1', queryTensor: x, keyTensor: x, valueTensor: x, pastSequenceLengthsTensor: past },
    ...{ outputPresentKeyTensor: present, outputPresentValueTensor: present, queryHeadCount: 1, keyValueHeadCount: 1 },
  });
  const keys = builder.add(copy(made['outputPresentKeyTensor'] as Value))['outputTensor'] as Value;
  const { nodes, outputs } = improved(builder.resolve({ keys }), 'exact', highestFeatureLevel);
  expect(nodes.length).toBe(2);
  expect(outputs[0]?.source.index).toBe(1);
});
